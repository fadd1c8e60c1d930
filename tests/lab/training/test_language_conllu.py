import gzip

from detection.lab.training.language.conllu import ROOT, read_treebank

LINES = """# newdoc id = GUM_bio_mill
# newpar
# text = They don't mill rye.
1\tThey\tthey\tPRON\tPRP\tCase=Nom\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tmill\tmill\tVERB\tVB\t_\t0\troot\t_\t_
4.1\tmill\tmill\tVERB\tVB\t_\t_\t_\t_\t_
5\trye\trye\tNOUN\tNN\t_\t4\tobj\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

# text = Go.
1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
2\t.\t.\tPUNCT\t.\t_\t1\tpunct\t_\t_
"""


def test_words_keep_their_spaces_and_count_from_zero(tmp_path):
    path = tmp_path / "mill.conllu.gz"
    path.write_bytes(gzip.compress(LINES.encode()))

    first, second = read_treebank(path)

    assert "".join(word.text + " " * word.space_after for word in first.words) == "They don't mill rye. "
    assert [word.head for word in first.words] == [3, 3, 3, 3, 3, 3]
    assert first.words[3].label == ROOT
    assert (first.words[0].morphology, first.words[1].morphology) == ("Case=Nom", "")
    assert [(s.document, s.starts_paragraph) for s in (first, second)] == [
        ("GUM_bio_mill", True),
        ("GUM_bio_mill", False),
    ]
