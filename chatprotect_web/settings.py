"""Settings. Everything comes from the environment (prefix CHATPROTECT_), and every default works."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from kombu import Queue as MessageQueue  # type: ignore[attr-defined]

from detection.core.llm.presets import PRESETS
from detection.core.local_models.nli.installed import InstalledModels

from . import database, env, log_lines, secret_key
from .queues import Queue

BASE_DIR = Path(__file__).resolve().parent.parent

# --- Safety ---------------------------------------------------------------------------------------------------

DEBUG = env.get_boolean("DEBUG", default=False)
DATA_DIR = env.get_path("DATA_DIR", BASE_DIR / "var")
SECRET_KEY = env.get_text("SECRET_KEY") or secret_key.load_or_create(DATA_DIR / "secret_key")
#: Earlier keys: still accepted for reading, never used for signing.
SECRET_KEY_FALLBACKS = env.get_list("SECRET_KEY_FALLBACKS", [])
ALLOWED_HOSTS = env.get_list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
# Behind a proxy that terminates TLS the pages have an https origin, which the server itself does not see.
CSRF_TRUSTED_ORIGINS = env.get_list("TRUSTED_ORIGINS", [])
_HTTPS = env.get_boolean("HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _HTTPS else None
SECURE_SSL_REDIRECT = _HTTPS
_HSTS_SECONDS = env.get_integer("HSTS_SECONDS", 3600, minimum=0, maximum=63_072_000)
SECURE_HSTS_SECONDS = _HSTS_SECONDS if _HTTPS else 0
# Subdomains and preload lists are decisions of the domain owner.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

SESSION_COOKIE_NAME = "chatprotect_session"
SESSION_COOKIE_AGE = 365 * 24 * 3600  # only the browser that created a check can find it again
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_NAME = "chatprotect_csrf"
CSRF_FAILURE_VIEW = "detection.web.views.answers.csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

# --- Accounts and throttling ----------------------------------------------------------------------------------

REQUIRE_LOGIN = env.get_boolean("REQUIRE_LOGIN", default=False)
OFFER_LOGIN = env.get_boolean("OFFER_LOGIN", default=False) or REQUIRE_LOGIN
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "login", "start", "start"
#: At the login to the administration (chatprotect_web/operators.py).
ADMIN_SECOND_FACTOR = env.get_boolean("ADMIN_SECOND_FACTOR", default=True)
OTP_TOTP_ISSUER = "ChatProtect"
OTP_ADMIN_HIDE_SENSITIVE_DATA = True
LOGIN_AGE = 14 * 24 * 3600
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
#: Number of proxies in front of the server; the outermost one reports the address of the visitor.
PROXIES = env.get_integer("PROXIES", 0, minimum=0, maximum=10)
THROTTLE = env.get_boolean("THROTTLE", default=True)
#: Rate limits of one visitor by the name of the view; "" is any other action, and "costly" a request that needs much
#: processor time (for each address). The factor raises the limits for an address.
RATES = {
    "login": "10/minute",
    "check_create": "30/minute",
    "language_model_test": "10/minute",
    "text_read": "30/minute",
    "costly": "30/minute",
    "": "600/minute",
}
RATE_FACTOR_OF_ADDRESS = 5

# --- Application ----------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    # First: otherwise runserver speaks WSGI and there are no websockets (daphne.E001). Other commands, the workers and
    # the tests start a third faster without it.
    *(["daphne"] if sys.argv[1:2] == ["runserver"] else []),
    "chatprotect_web.administration.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "ninja",  # for its page of the API, with scripts served from here
    "detection",
]
MIDDLEWARE = [
    # First: probes use plain http and an IP address, and every log record needs a request id.
    "chatprotect_web.log_lines.RequestLogMiddleware",
    "chatprotect_web.health.HealthMiddleware",
    "chatprotect_web.metrics.MetricsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "detection.web.middleware.PrivatePagesMiddleware",
    "detection.doors.middleware.OwnFormMiddleware",
    "detection.web.middleware.PlainCookiesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "detection.web.middleware.AccountMiddleware",
    "detection.web.middleware.ThrottleMiddleware",
    "detection.web.middleware.LoginMiddleware",
    "detection.web.middleware.RefusalMiddleware",
]
ROOT_URLCONF = "chatprotect_web.urls"
ASGI_APPLICATION = "chatprotect_web.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,  # the pages of the administration
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "detection.web.context_processors.language_model",
                "detection.web.context_processors.accounts",
            ]
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]  # languages with a translation in LOCALE_PATHS; the browser's preference chooses
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True
APPEND_SLASH = True

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True  # serve static/ unchanged: no build step, no collectstatic
WHITENOISE_MAX_AGE = 0 if DEBUG else 300

# --- Storage --------------------------------------------------------------------------------------------------

DATABASE_URL = os.environ.get("DATABASE_URL", "").strip()
_POOL_SIZE = env.get_integer("DATABASE_POOL", 20, minimum=2, maximum=200)
DATABASES = {
    "default": database.from_url(DATABASE_URL, pool_size=_POOL_SIZE)
    if DATABASE_URL
    else database.sqlite(DATA_DIR / "chatprotect.sqlite3")
}

# --- Two modes, one code path (docs/decisions.md) -------------------------------------------------------------

REDIS_URL = env.get_text("REDIS_URL")
EMBEDDED = not REDIS_URL
START_EMBEDDED_WORKER = EMBEDDED  # tests that import the ASGI application turn this off

if EMBEDDED:
    CHANNEL_LAYERS: dict[str, dict[str, Any]] = {
        "default": {
            "BACKEND": "chatprotect_web.layers.ThreadSafeInMemoryChannelLayer",
            "CONFIG": {"capacity": 1000},
        }
    }
    CELERY_BROKER_URL = "memory://localhost"  # without a host kombu warns that there is none
    CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.1}
else:
    if not REDIS_URL.startswith(("redis://", "rediss://", "unix://")):
        raise ImproperlyConfigured(
            f"{env.PREFIX}REDIS_URL must begin with redis://, rediss:// or unix://, as in redis://127.0.0.1:6379/0."
        )
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            # A run nudges the pages after each step, and must not wait for an unavailable Redis.
            "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_connect_timeout": 1, "socket_timeout": 1}]},
        }
    }
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        # Longer than any check may run: Redis redelivers a message that is not acknowledged by then.
        "visibility_timeout": 2 * 3600,
        # A page must not hang when Redis does: the row is the job, and upkeep finds it without a message.
        # Not "retry_on_timeout" as well: each wait would double.
        "socket_connect_timeout": 2,
        "socket_timeout": 2,
    }

CELERY_TASK_DEFAULT_QUEUE = Queue.CHECKS.value
CELERY_TASK_QUEUES = [
    MessageQueue(queue.value, routing_key=queue.value)  # type: ignore[no-untyped-call]
    for queue in Queue
]
# The service chooses the queue of a check.
CELERY_TASK_ROUTES = {"detection.read_source": {"queue": Queue.SOURCES.value}}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_max": 0.2}
# Threads, because a check waits for endpoints and computes in a child process, which threads can share.
CELERY_WORKER_POOL = "threads"
CELERY_WORKER_CONCURRENCY = env.get_integer("WORKER_CONCURRENCY", 4, minimum=1, maximum=64)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker outlives any outage of Redis
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False  # otherwise anyone who reaches Redis could control the workers

#: A run that has written nothing for this long counts as dead, and another takes over.
LEASE_SECONDS = env.get_integer("LEASE_SECONDS", 60, minimum=2, maximum=3_600)
#: How often each worker looks for abandoned checks and sources.
UPKEEP_SECONDS = env.get_integer("UPKEEP_SECONDS", 5, minimum=1, maximum=3_600)

#: Older data is deleted; 0 keeps everything until its owner deletes it.
RETENTION_DAYS = env.get_integer("RETENTION_DAYS", 0, minimum=0, maximum=36_500)

# --- Limits for each user, and for all --------------------------------------------------------------------------

EMBEDDED_CONCURRENCY = env.get_integer("EMBEDDED_CONCURRENCY", 2, minimum=1, maximum=16)
#: Most running checks of all owners; 0: the workers limit them. Reading has its own places.
CHECK_PLACES = EMBEDDED_CONCURRENCY if EMBEDDED else 0
#: In one process, and in one worker, one owner leaves a place to the others.
_RUNNING = max(1, EMBEDDED_CONCURRENCY - 1) if EMBEDDED else 3
MAX_RUNNING = env.get_integer("MAX_RUNNING", _RUNNING, minimum=1, maximum=1_000)
MAX_WAITING = env.get_integer("MAX_WAITING", 50, minimum=1, maximum=100_000)
MAX_WAITING_ALL = env.get_integer("MAX_WAITING_ALL", 1_000, minimum=1, maximum=1_000_000)

#: The same for all anonymous visitors of one network (a /64 of IPv6), who may be one visitor without cookies.
MAX_RUNNING_OF_ADDRESS = env.get_integer("MAX_RUNNING_OF_ADDRESS", MAX_RUNNING, minimum=1, maximum=10_000)
MAX_WAITING_OF_ADDRESS = env.get_integer("MAX_WAITING_OF_ADDRESS", 2 * MAX_WAITING, minimum=1, maximum=1_000_000)
MAX_SOURCES_STORED = env.get_integer("MAX_SOURCES_STORED", 200, minimum=1, maximum=100_000)
MAX_SOURCES_BYTES = env.get_integer("MAX_SOURCES_BYTES", 200_000_000, minimum=1_000, maximum=10**12)
#: The storage limit of a network, as a multiple of that of one visitor.
ADDRESS_FACTOR = 3
#: Most sources that all workers together read at a time; one payer leaves one place to the others.
READING_PLACES = env.get_integer("READING_PLACES", 2 if EMBEDDED else 4, minimum=1, maximum=1_000)

#: Daily limits (UTC) on calls with LLM_API_KEY for one network, one account, and all. 0 is no limit. The limit in money
#: applies if all prices are known, the limit in tokens otherwise.
DAILY_TOKENS_ADDRESS = env.get_integer("DAILY_TOKENS_ADDRESS", 1_000_000, minimum=0, maximum=10**12)
DAILY_TOKENS_ACCOUNT = env.get_integer("DAILY_TOKENS_ACCOUNT", 0, minimum=0, maximum=10**12)
DAILY_TOKENS_ALL = env.get_integer("DAILY_TOKENS_ALL", 20_000_000, minimum=0, maximum=10**12)
DAILY_USD_ADDRESS = env.get_decimal("DAILY_USD_ADDRESS")
DAILY_USD_ACCOUNT = env.get_decimal("DAILY_USD_ACCOUNT")
DAILY_USD_ALL = env.get_decimal("DAILY_USD_ALL")

# --- Limits and models ----------------------------------------------------------------------------------------

#: Time limit of a check: its remaining units fail and can be retried. LONG is for a language model or a search.
CHECK_SECONDS = env.get_integer("CHECK_SECONDS", 120, minimum=0, maximum=86_400)
CHECK_SECONDS_LONG = env.get_integer("CHECK_SECONDS_LONG", 1_800, minimum=0, maximum=86_400)
MAX_TEXT_CHARS = env.get_integer("MAX_TEXT_CHARS", 20_000, minimum=100, maximum=200_000)
MAX_SOURCE_CHARS = env.get_integer("MAX_SOURCE_CHARS", 1_000_000, minimum=100, maximum=4_000_000)
MAX_SOURCE_BYTES = env.get_integer("MAX_SOURCE_BYTES", 20 * 1024**2, minimum=1_000, maximum=200 * 1024**2)
MAX_SOURCE_PAGES = env.get_integer("MAX_SOURCE_PAGES", 1_500, minimum=1, maximum=10_000)
#: Largest file of a saved check, with the texts of its sources.
MAX_CHECK_FILE_BYTES = env.get_integer("MAX_CHECK_FILE_BYTES", 2_000_000, minimum=10_000, maximum=20_000_000)
SOURCE_SECONDS = env.get_integer("SOURCE_SECONDS", 120, minimum=1, maximum=3_600)
SOURCE_PROCESSOR_SECONDS = env.get_integer("SOURCE_PROCESSOR_SECONDS", 40, minimum=1, maximum=3_600)
FETCH_ALLOW = env.get_list("FETCH_ALLOW", [])  # host:port pairs that may be fetched although they are not public
# A form field is percent-encoded: up to twelve bytes for a character beyond the basic plane.
DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * (MAX_TEXT_CHARS + MAX_SOURCE_CHARS) + 65_536
# Largest body of a request with several files; the server keeps no more (chatprotect_web/server.py).
MAX_REQUEST_BYTES = 5 * MAX_SOURCE_BYTES + DATA_UPLOAD_MAX_MEMORY_SIZE
#: Limits on connections (chatprotect_web/connections.py). 0 is no limit; behind a proxy, the proxy limits addresses.
MAX_CONNECTIONS = env.get_integer("MAX_CONNECTIONS", 800, minimum=0, maximum=100_000)
MAX_CONNECTIONS_OF_ADDRESS = env.get_integer("MAX_CONNECTIONS_OF_ADDRESS", 100, minimum=0, maximum=100_000)
HEADER_SECONDS = env.get_integer("HEADER_SECONDS", 15, minimum=1, maximum=3_600)
BODY_SECONDS = env.get_integer("BODY_SECONDS", 20, minimum=1, maximum=3_600)
BODY_BYTES_PER_SECOND = 20_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1_000  # accept all sends a field for each change

SHIPPED_NLI_MODEL = BASE_DIR / "detection" / "data" / "nli"
MODELS_DIR = DATA_DIR / "models"  # models of `manage.py model install`, and the choice of the one in use
NLI_MODEL_OF_ENVIRONMENT = env.get_path("NLI_MODEL")
NLI_MODEL = NLI_MODEL_OF_ENVIRONMENT or InstalledModels(MODELS_DIR).chosen_folder(SHIPPED_NLI_MODEL)
MODEL_HUB = env.get_text("MODEL_HUB")  # where models are installed from
SPACY_MODEL = env.get_text("SPACY_MODEL") or str(BASE_DIR / "detection" / "data" / "spacy" / "en_detection_sm")
COMPUTE_THREADS = env.get_integer("COMPUTE_THREADS", 2, minimum=1, maximum=64)
#: A longer call of the local models counts as hanging, and their process is restarted.
COMPUTE_SECONDS = env.get_integer("COMPUTE_SECONDS", 120, minimum=1, maximum=3_600)

# --- Language models ------------------------------------------------------------------------------------------

ENGINE = env.get_choice("ENGINE", "local", choices=("local", "llm"))
LLM_PRESET = env.get_choice("LLM_PRESET", "", choices=("", *PRESETS))  # the address of a known vendor or server
LLM_BASE_URL = env.get_text("LLM_BASE_URL") or (PRESETS[LLM_PRESET].base_url if LLM_PRESET else "")
LLM_API_KEY = env.get_text("LLM_API_KEY")
LLM_HEADERS = env.get_pairs("LLM_HEADERS")  # sent with every request: HTTP-Referer=https://example.org, X-Title=Checks
LLM_QUERY = env.get_pairs("LLM_QUERY")  # appended to every address: api-version=2024-10-21
LLM_CA_FILE = env.get_path("LLM_CA_FILE")
LLM_REASONING = env.get_choice("LLM_REASONING", "", choices=("", "off", "low", "medium", "high"))
LLM_REQUESTS_PER_MINUTE = env.get_integer("LLM_REQUESTS_PER_MINUTE", 0, minimum=0, maximum=1_000_000)  # 0 is no limit
LLM_TOKENS_PER_MINUTE = env.get_integer("LLM_TOKENS_PER_MINUTE", 0, minimum=0, maximum=1_000_000_000)
#: The endpoint of the analyzer model, if it differs from that of the generator.
ANALYZER_BASE_URL = env.get_text("ANALYZER_BASE_URL")
ANALYZER_API_KEY = env.get_text("ANALYZER_API_KEY")
#: Look for a language model on this machine if none is configured and only trusted users reach this server.
LLM_DISCOVER = env.get_boolean("LLM_DISCOVER", default=True)
#: Let users choose a known vendor or server with their own key, under the same conditions.
LLM_CHOOSE = env.get_boolean("LLM_CHOOSE", default=True)
#: Models that users may choose if LLM_API_KEY pays; on a server for this machine alone they may choose any.
LLM_MODELS = env.get_list("LLM_MODELS", [])
LLM_LOCAL_ADDRESSES: dict[str, str] = {}  # tests replace the usual addresses
GENERATOR_MODEL = env.get_text("GENERATOR_MODEL")
ANALYZER_MODEL = env.get_text("ANALYZER_MODEL") or GENERATOR_MODEL
LLM_MAX_CONCURRENCY = env.get_integer("LLM_MAX_CONCURRENCY", 64, minimum=1, maximum=1000)
LLM_TIMEOUT = env.get_integer("LLM_TIMEOUT", 60, minimum=1, maximum=600)
LLM_SCREEN = env.get_boolean("LLM_SCREEN", default=True)  # the local models settle clear cases first
# Ways to save calls and tokens; each is measured in docs/methods-and-costs.md.
LLM_READ_TEXT = env.get_boolean("LLM_READ_TEXT", default=True)  # the whole text is read for contradictions
LLM_JOIN_FACTS = env.get_boolean("LLM_JOIN_FACTS", default=True)  # all facts of a sentence in one prompt
LLM_JOIN_PAIRS = env.get_boolean("LLM_JOIN_PAIRS", default=True)  # several answers compared in one prompt
LLM_FIRST_VOTE = env.get_boolean("LLM_FIRST_VOTE", default=True)  # more votes only where the first is unsure
LLM_ALTERNATIVES = env.get_integer("LLM_ALTERNATIVES", 1, minimum=1, maximum=4)  # written for a sentence at once
LLM_SHARE_PREFIX = env.get_boolean("LLM_SHARE_PREFIX", default=True)  # prompts of neighbours begin alike
LLM_SOURCE_TOKENS = env.get_integer("LLM_SOURCE_TOKENS", 12_000, minimum=1_000, maximum=1_000_000)
BUDGET_USD = env.get_decimal("BUDGET_USD")
BUDGET_TOKENS = env.get_integer("BUDGET_TOKENS", 0, minimum=0, maximum=1_000_000_000)  # 0 is no limit
BUDGET_CALLS = env.get_integer("BUDGET_CALLS", 0, minimum=0, maximum=1_000_000)
PRICES = env.get_path("PRICES")

# --- Search for evidence: chosen for each check, and never without ----------------------------------------------

WIKIPEDIA_LANGUAGE = env.get_text("WIKIPEDIA_LANGUAGE", "en")
WIKIPEDIA_URL = env.get_text("WIKIPEDIA_URL")  # the API of another wiki; by default that of the edition
SEARXNG_URL = env.get_text("SEARXNG_URL")
BRAVE_API_KEY = env.get_text("BRAVE_API_KEY")
TAVILY_API_KEY = env.get_text("TAVILY_API_KEY")
MAX_DOCUMENTS = env.get_integer("MAX_DOCUMENTS", 10, minimum=1, maximum=20)
CONTACT = env.get_text("CONTACT")  # whom sites can contact about our requests

# --- Monitoring --------------------------------------------------------------------------------------------------

METRICS_TOKEN = env.get_text("METRICS_TOKEN")  # without it there is no /metrics
WORKER_METRICS_PORT = env.get_integer("WORKER_METRICS_PORT", 0, minimum=0, maximum=65_535)
WORKER_METRICS_HOST = env.get_text("WORKER_METRICS_HOST", "127.0.0.1")
HEARTBEAT_FILE = env.get_path("HEARTBEAT_FILE")  # touched by each worker every UPKEEP_SECONDS
LOGGING = log_lines.configuration(env.get_choice("LOG_FORMAT", "line", choices=("line", "json")))

#: The variables of the environment, from which `manage.py settings_page` generates docs/settings.md.
VARIABLES = dict(env.variables)
