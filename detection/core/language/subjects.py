def find_topic(parsed):
    return None
