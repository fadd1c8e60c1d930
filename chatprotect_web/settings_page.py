"""Generates ``docs/settings.md`` from the variables that the settings read and the explanations below."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from . import env


@dataclass(frozen=True, slots=True)
class Explanation:
    text: str
    #: Shown where the code computes the default.
    default: str = ""


INTRODUCTION = """# Settings

<!-- Made by `manage.py settings_page`. Change chatprotect_web/settings.py or settings_page.py instead. -->

Every setting is an environment variable, and every default works. A wrong value stops the start with a message that
names the variable. `make run HOST=0.0.0.0 PORT=9000 VENV=~/venv` changes the address or the folder of the virtual
environment. Read [deploy](deploy.md) and [security](security.md) before you open the server to other machines.
"""

#: By heading; the names are without the prefix.
SECTIONS: Mapping[str, Mapping[str, Explanation]] = {
    "Server": {
        "DATA_DIR": Explanation("folder of the database and the secret key"),
        "DEBUG": Explanation("error pages with source code; for development only"),
        "ALLOWED_HOSTS": Explanation("host names under which the pages can be reached"),
        "TRUSTED_ORIGINS": Explanation("origins behind a proxy that ends TLS, for example `https://chat.example`"),
        "HTTPS": Explanation("send cookies over https only; trust `X-Forwarded-Proto` of the proxy"),
        "HSTS_SECONDS": Explanation("how long browsers remember to use https"),
        "MAX_CONNECTIONS": Explanation("open connections; `0` is no limit"),
        "MAX_CONNECTIONS_OF_ADDRESS": Explanation("open connections of one address; `0` is no limit"),
        "HEADER_SECONDS": Explanation("time limit for the headers of a request"),
        "BODY_SECONDS": Explanation("time limit for a silent body of a request"),
        "PROXIES": Explanation("number of proxies in front of the server"),
        "SECRET_KEY": Explanation("signs sessions and encrypts stored keys", "created on first start"),
        "SECRET_KEY_FALLBACKS": Explanation("earlier secret keys: still read, no longer used for signing"),
    },
    "Accounts and limits": {
        "OFFER_LOGIN": Explanation("offer accounts"),
        "REQUIRE_LOGIN": Explanation("require accounts"),
        "ADMIN_SECOND_FACTOR": Explanation("ask for a one-time code at the login to the administration"),
        "THROTTLE": Explanation("limit the rate of requests of each visitor"),
        "MAX_RUNNING": Explanation("checks of one user that run at the same time", "`1`; `3` with Redis"),
        "MAX_WAITING": Explanation("unfinished checks of one user"),
        "MAX_WAITING_ALL": Explanation("unfinished checks of all users"),
        "MAX_RUNNING_OF_ADDRESS": Explanation("the same for all anonymous users of one network", "as `MAX_RUNNING`"),
        "MAX_WAITING_OF_ADDRESS": Explanation("unfinished checks of all anonymous users of one network"),
        "DAILY_TOKENS_ADDRESS": Explanation("tokens per day with the operator's key, for one network; `0` is no limit"),
        "DAILY_TOKENS_ACCOUNT": Explanation("the same for one account"),
        "DAILY_TOKENS_ALL": Explanation("the same for everybody"),
        "DAILY_USD_ADDRESS": Explanation("the same in dollars, for one network (needs all prices)"),
        "DAILY_USD_ACCOUNT": Explanation("the same for one account"),
        "DAILY_USD_ALL": Explanation("the same for everybody"),
        "CHECK_SECONDS": Explanation(
            "time limit of a check by the local models, without waits for others; `0` is no limit"
        ),
        "CHECK_SECONDS_LONG": Explanation("time limit of a check with a language model or a search; `0` is no limit"),
        "RETENTION_DAYS": Explanation("days after which checks and sources are deleted; `0` keeps them"),
    },
    "Texts and sources": {
        "MAX_TEXT_CHARS": Explanation("longest text, in characters"),
        "MAX_SOURCE_CHARS": Explanation("longest source, in characters"),
        "MAX_SOURCE_BYTES": Explanation("largest file or web page; one request may carry five of this size"),
        "MAX_SOURCE_PAGES": Explanation("most pages of a file"),
        "SOURCE_SECONDS": Explanation("time limit for reading one source"),
        "SOURCE_PROCESSOR_SECONDS": Explanation("processor time limit for reading one source"),
        "READING_PLACES": Explanation("sources that are read at the same time", "`2`; `4` with Redis"),
        "MAX_SOURCES_STORED": Explanation("sources that one user can store"),
        "MAX_SOURCES_BYTES": Explanation("bytes of the sources that one user can store"),
        "MAX_CHECK_FILE_BYTES": Explanation("largest saved check that can be loaded"),
        "FETCH_ALLOW": Explanation("private hosts that may be fetched from, for example `wiki.internal:8080`"),
    },
    "Local models": {
        "NLI_MODEL": Explanation(
            "folder with `model.onnx` and `tokenizer.json` ([models](models.md))",
            "the one of `manage.py model use`, or the one that ships",
        ),
        "MODEL_HUB": Explanation("address of the hub that `manage.py model install` uses"),
        "SPACY_MODEL": Explanation(
            "folder or package name of an English spaCy pipeline, with Universal Dependencies or OntoNotes labels",
            "detection/data/spacy/en_detection_sm",
        ),
        "COMPUTE_THREADS": Explanation("threads of the local models"),
        "COMPUTE_SECONDS": Explanation("restart the process of the local models after a call of this length"),
    },
    "Language models": {
        "ENGINE": Explanation("the engine that the form preselects"),
        "LLM_PRESET": Explanation("a known vendor or server, instead of its address ([endpoints](endpoints.md))"),
        "LLM_BASE_URL": Explanation("address of an OpenAI-compatible endpoint"),
        "LLM_API_KEY": Explanation("key of the endpoint; without it the form has a field for the user's own key"),
        "LLM_HEADERS": Explanation("headers of every request: `HTTP-Referer=https://example.org, X-Title=Checks`"),
        "LLM_QUERY": Explanation("query of every address: `api-version=2024-10-21`"),
        "LLM_CA_FILE": Explanation("certificates that the endpoint is verified with"),
        "LLM_DISCOVER": Explanation("look for a language model on this machine if none is set up"),
        "LLM_CHOOSE": Explanation("let people choose a known vendor with their own key if none is set up"),
        "LLM_MODELS": Explanation("models that people may choose where `LLM_API_KEY` pays", "none"),
        "GENERATOR_MODEL": Explanation("model that writes texts and answers again"),
        "ANALYZER_MODEL": Explanation("model that compares and judges", "the generator model"),
        "ANALYZER_BASE_URL": Explanation("endpoint of the analyzer model, if it is another one"),
        "ANALYZER_API_KEY": Explanation("key of that endpoint"),
        "LLM_REASONING": Explanation("how long a reasoning model thinks"),
        "LLM_REQUESTS_PER_MINUTE": Explanation("requests per minute; `0` is no limit"),
        "LLM_TOKENS_PER_MINUTE": Explanation("tokens per minute; `0` is no limit"),
        "LLM_TIMEOUT": Explanation("seconds for one call"),
        "LLM_MAX_CONCURRENCY": Explanation("calls at the same time"),
        "LLM_SCREEN": Explanation("let the local models settle what they are sure of"),
        "LLM_READ_TEXT": Explanation("read the whole text for contradictions ([costs](methods-and-costs.md))"),
        "LLM_JOIN_FACTS": Explanation("ask for all facts of a sentence in one prompt"),
        "LLM_JOIN_PAIRS": Explanation("compare several answers in one prompt"),
        "LLM_FIRST_VOTE": Explanation("ask for more votes only where the probability of the first is unsure"),
        "LLM_ALTERNATIVES": Explanation("sentences that are written for a prompt at once; more where votes split"),
        "LLM_SHARE_PREFIX": Explanation("begin the prompts of neighbouring sentences alike, for caches of prefixes"),
        "LLM_SOURCE_TOKENS": Explanation("longer sources are read in passages, the nearest to each sentence first"),
        "BUDGET_USD": Explanation("dollars after which a check makes no further calls"),
        "BUDGET_TOKENS": Explanation("tokens after which a check makes no further calls; `0` is no limit"),
        "BUDGET_CALLS": Explanation("calls after which a check makes no further calls; `0` is no limit"),
        "PRICES": Explanation(
            'JSON file with dollars per million tokens: `{"model": {"prompt": "0.15", "completion": "0.60"}}`'
        ),
    },
    "Search for evidence": {
        "SEARXNG_URL": Explanation("a SearXNG server with JSON output enabled, for example `http://127.0.0.1:8888`"),
        "BRAVE_API_KEY": Explanation("key of Brave Search; without it users can enter their own"),
        "TAVILY_API_KEY": Explanation("key of Tavily; without it users can enter their own"),
        "WIKIPEDIA_LANGUAGE": Explanation("edition of Wikipedia; the local models read English, so `en` or `simple`"),
        "WIKIPEDIA_URL": Explanation("API of another wiki, for example `https://wiki.internal/w/api.php`"),
        "CONTACT": Explanation("contact address sent with every request, so that site operators can write to you"),
        "MAX_DOCUMENTS": Explanation("most documents per claim"),
    },
    "Processes and storage": {
        "REDIS_URL": Explanation("broker and channel layer for several processes; empty: a single process"),
        "DATABASE_POOL": Explanation("most PostgreSQL connections of a process"),
        "EMBEDDED_CONCURRENCY": Explanation("checks at the same time in a single process"),
        "WORKER_CONCURRENCY": Explanation("checks at the same time in each worker"),
        "LEASE_SECONDS": Explanation("silence after which a run counts as dead"),
        "UPKEEP_SECONDS": Explanation("how often workers look for abandoned work"),
    },
    "Monitoring": {
        "LOG_FORMAT": Explanation("`json` writes one object per line, with the ids of request and check"),
        "METRICS_TOKEN": Explanation("token for Prometheus at `/metrics`; without it there is no such page"),
        "HEARTBEAT_FILE": Explanation("file that each worker touches at every upkeep"),
        "WORKER_METRICS_PORT": Explanation("port for the metrics of a worker; `0` is off"),
        "WORKER_METRICS_HOST": Explanation("address for the metrics of a worker"),
    },
}

_TABLE_HEAD = ["| variable | default | accepts | meaning |", "| --- | --- | --- | --- |"]
_DATABASE = (
    "| `DATABASE_URL` | SQLite in the data folder | text "
    "| PostgreSQL, for example `postgresql://user:password@host/name` |"
)


def render(variables: Mapping[str, env.Variable]) -> str:
    """The whole page. A variable without an explanation, or the other way round, is a KeyError that names it."""
    explained = {name for section in SECTIONS.values() for name in section}
    if difference := explained ^ set(variables):
        raise KeyError(f"read by the settings or explained in settings_page.py, but not both: {sorted(difference)}")
    parts = [INTRODUCTION]
    for heading, section in SECTIONS.items():
        rows = [_row(name, variables[name], explanation) for name, explanation in section.items()]
        if heading == "Processes and storage":
            rows.insert(1, _DATABASE)
        parts.append("\n".join([f"## {heading}", "", *_TABLE_HEAD, *rows, ""]))
    return "\n".join(parts)


def _row(name: str, variable: env.Variable, explanation: Explanation) -> str:
    default = explanation.default or (f"`{variable.default}`" if variable.default else "")
    accepts = variable.accepts.removeprefix(" or ")  # a choice may be left empty
    return f"| `{env.PREFIX}{name}` | {default} | {accepts} | {explanation.text} |"
