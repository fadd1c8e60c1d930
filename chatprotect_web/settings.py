"""Settings. Everything comes from the environment (prefix CHATPROTECT_), and every default works."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from kombu import Queue as MessageQueue  # type: ignore[attr-defined]

from . import database, env, log_lines, secret_key
from .queues import Queue

BASE_DIR = Path(__file__).resolve().parent.parent

# --- Safety ---------------------------------------------------------------------------------------------------

DEBUG = env.get_boolean("DEBUG", default=False)
DATA_DIR = env.get_path("DATA_DIR", BASE_DIR / "var")
SECRET_KEY = env.get_text("SECRET_KEY") or secret_key.load_or_create(DATA_DIR / "secret_key")
#: Keys of before: what they signed and sealed is still read, and nothing new is signed with them.
SECRET_KEY_FALLBACKS = env.get_list("SECRET_KEY_FALLBACKS", [])
ALLOWED_HOSTS = env.get_list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
# Behind a proxy that ends TLS the pages have an https origin that the server itself never sees.
CSRF_TRUSTED_ORIGINS = env.get_list("TRUSTED_ORIGINS", [])
_HTTPS = env.get_boolean("HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _HTTPS else None
SECURE_SSL_REDIRECT = _HTTPS
SECURE_HSTS_SECONDS = env.get_integer("HSTS_SECONDS", 3600, minimum=0, maximum=63_072_000) if _HTTPS else 0
# Other names below this one, and the lists of browsers, are for the owner of the domain to decide about.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

SESSION_COOKIE_NAME = "chatprotect_session"
SESSION_COOKIE_AGE = 365 * 24 * 3600  # a check is found again by the browser that made it, and by nothing else
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_NAME = "chatprotect_csrf"
CSRF_FAILURE_VIEW = "detection.views.csrf_failure"
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
LOGIN_AGE = 14 * 24 * 3600
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
#: How many proxies stand before the server: the address of a visitor is what the outermost of them says.
PROXIES = env.get_integer("PROXIES", 0, minimum=0, maximum=10)
THROTTLE = env.get_boolean("THROTTLE", default=True)
#: What one visitor may do, by the name of the view; "" is any other action. An address may do so much more often.
RATES = {"login": "10/minute", "check_create": "30/minute", "language_model_test": "10/minute", "": "600/minute"}
RATE_FACTOR_OF_ADDRESS = 5

# --- Application ----------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "daphne",  # first: otherwise runserver speaks WSGI and there are no websockets (daphne.E001)
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "detection",
]
MIDDLEWARE = [
    # First: probes come by address and without https, and everything that is logged belongs to a request.
    "chatprotect_web.log_lines.RequestLogMiddleware",
    "chatprotect_web.health.HealthMiddleware",
    "chatprotect_web.metrics.MetricsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "detection.middleware.PrivatePagesMiddleware",
    "detection.middleware.PlainCookiesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "detection.middleware.AccountMiddleware",
    "detection.middleware.ThrottleMiddleware",
    "detection.middleware.LoginMiddleware",
    "detection.middleware.RefusalMiddleware",
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
                "detection.context_processors.language_model",
                "detection.context_processors.accounts",
            ]
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]  # those with a translation in LOCALE_PATHS; the browser chooses among them
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True
APPEND_SLASH = True

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True  # serve static/ as it stands: no build step, no collectstatic
WHITENOISE_MAX_AGE = 0 if DEBUG else 300

# --- Storage --------------------------------------------------------------------------------------------------

DATABASE_URL = os.environ.get("DATABASE_URL", "").strip()
DATABASES = {
    "default": database.from_url(DATABASE_URL, pool_size=env.get_integer("DATABASE_POOL", 20, minimum=2, maximum=200))
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
            # A run tells the pages after each step, and must not wait for a Redis that does not answer.
            "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_connect_timeout": 1, "socket_timeout": 1}]},
        }
    }
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        # Longer than any check may run: Redis delivers a message again when it is not acknowledged by then.
        "visibility_timeout": 2 * 3600,
        # A page must not hang when Redis does: the row says what is to be done, and is found without a message.
        # Not "retry_on_timeout" as well: each wait would double.
        "socket_connect_timeout": 2,
        "socket_timeout": 2,
    }

CELERY_TASK_DEFAULT_QUEUE = Queue.CHECKS.value
CELERY_TASK_QUEUES = [
    MessageQueue(queue.value, routing_key=queue.value)  # type: ignore[no-untyped-call]
    for queue in Queue
]
CELERY_TASK_ROUTES = {"detection.read_source": {"queue": Queue.SOURCES.value}}  # a check says itself where it goes
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_max": 0.2}
# A check waits for models and endpoints, and computes in a child process, which threads share and processes would not.
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
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False  # whoever reaches Redis could otherwise steer the workers

#: A run that has written nothing for so long is taken for dead, and another takes over.
LEASE_SECONDS = env.get_integer("LEASE_SECONDS", 60, minimum=2, maximum=3_600)
#: How often each worker looks for checks and sources that nobody is at.
UPKEEP_SECONDS = env.get_integer("UPKEEP_SECONDS", 15, minimum=1, maximum=3_600)

#: What is older is deleted; 0 keeps everything until its owner deletes it.
RETENTION_DAYS = env.get_integer("RETENTION_DAYS", 0, minimum=0, maximum=36_500)

# --- Limits for each user, and for all --------------------------------------------------------------------------

MAX_RUNNING = env.get_integer("MAX_RUNNING", 3, minimum=1, maximum=1_000)
MAX_WAITING = env.get_integer("MAX_WAITING", 50, minimum=1, maximum=100_000)
MAX_WAITING_ALL = env.get_integer("MAX_WAITING_ALL", 1_000, minimum=1, maximum=1_000_000)

# --- Limits and models ----------------------------------------------------------------------------------------

MAX_TEXT_CHARS = env.get_integer("MAX_TEXT_CHARS", 20_000, minimum=100, maximum=200_000)
MAX_SOURCE_CHARS = env.get_integer("MAX_SOURCE_CHARS", 1_000_000, minimum=100, maximum=4_000_000)
MAX_SOURCE_BYTES = env.get_integer("MAX_SOURCE_BYTES", 20 * 1024**2, minimum=1_000, maximum=200 * 1024**2)
MAX_SOURCE_PAGES = env.get_integer("MAX_SOURCE_PAGES", 1_500, minimum=1, maximum=10_000)
SOURCE_SECONDS = env.get_integer("SOURCE_SECONDS", 120, minimum=1, maximum=3_600)
FETCH_ALLOW = env.get_list("FETCH_ALLOW", [])  # host:port that may be fetched although it is not public
# A form field is percent-encoded: up to twelve bytes for a character beyond the basic plane.
DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * (MAX_TEXT_CHARS + MAX_SOURCE_CHARS) + 65_536
# The whole body of a request, with several files in it; the server keeps no more (chatprotect_web/server.py).
MAX_REQUEST_BYTES = 5 * MAX_SOURCE_BYTES + DATA_UPLOAD_MAX_MEMORY_SIZE
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1_000  # accept all sends a field for each change

NLI_MODEL = env.get_path("NLI_MODEL", BASE_DIR / "detection" / "data" / "nli")
SPACY_MODEL = env.get_text("SPACY_MODEL") or str(BASE_DIR / "detection" / "data" / "spacy" / "en_detection_sm")
EMBEDDED_CONCURRENCY = env.get_integer("EMBEDDED_CONCURRENCY", 2, minimum=1, maximum=16)
COMPUTE_THREADS = env.get_integer("COMPUTE_THREADS", 2, minimum=1, maximum=64)
#: After so long a call of the local models is taken for one that never ends, and their process is started anew.
COMPUTE_SECONDS = env.get_integer("COMPUTE_SECONDS", 120, minimum=1, maximum=3_600)

# --- Language models ------------------------------------------------------------------------------------------

ENGINE = env.get_choice("ENGINE", "local", choices=("local", "llm"))
LLM_BASE_URL = env.get_text("LLM_BASE_URL")
LLM_API_KEY = env.get_text("LLM_API_KEY")
GENERATOR_MODEL = env.get_text("GENERATOR_MODEL")
ANALYZER_MODEL = env.get_text("ANALYZER_MODEL") or GENERATOR_MODEL
LLM_MAX_CONCURRENCY = env.get_integer("LLM_MAX_CONCURRENCY", 64, minimum=1, maximum=1000)
LLM_TIMEOUT = env.get_integer("LLM_TIMEOUT", 60, minimum=1, maximum=600)
LLM_SCREEN = env.get_boolean("LLM_SCREEN", default=True)  # the local models settle what they are sure of
LLM_SOURCE_TOKENS = env.get_integer("LLM_SOURCE_TOKENS", 12_000, minimum=1_000, maximum=1_000_000)
BUDGET_USD = env.get_decimal("BUDGET_USD")
BUDGET_TOKENS = env.get_integer("BUDGET_TOKENS", 0, minimum=0, maximum=1_000_000_000)  # 0 is no limit
BUDGET_CALLS = env.get_integer("BUDGET_CALLS", 0, minimum=0, maximum=1_000_000)
PRICES = env.get_path("PRICES")

# --- Search for evidence: chosen for each check, and never without ----------------------------------------------

WIKIPEDIA_LANGUAGE = env.get_text("WIKIPEDIA_LANGUAGE") or "en"
WIKIPEDIA_URL = env.get_text("WIKIPEDIA_URL")  # the API of another wiki; by default that of the edition
SEARXNG_URL = env.get_text("SEARXNG_URL")
BRAVE_API_KEY = env.get_text("BRAVE_API_KEY")
TAVILY_API_KEY = env.get_text("TAVILY_API_KEY")
MAX_DOCUMENTS = env.get_integer("MAX_DOCUMENTS", 10, minimum=1, maximum=20)
CONTACT = env.get_text("CONTACT")  # whom sites can write to about what is fetched from here

# --- What operators see -----------------------------------------------------------------------------------------

METRICS_TOKEN = env.get_text("METRICS_TOKEN")  # without it there is no /metrics
WORKER_METRICS_PORT = env.get_integer("WORKER_METRICS_PORT", 0, minimum=0, maximum=65_535)
WORKER_METRICS_HOST = env.get_text("WORKER_METRICS_HOST") or "127.0.0.1"
LOGGING = log_lines.configuration(env.get_choice("LOG_FORMAT", "line", choices=("line", "json")))
