"""Settings. Everything comes from the environment (prefix CHATPROTECT_), and every default works."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from . import env, secret_key

BASE_DIR = Path(__file__).resolve().parent.parent

# --- Safety ---------------------------------------------------------------------------------------------------

DEBUG = env.get_boolean("DEBUG", default=False)
DATA_DIR = env.get_path("DATA_DIR", BASE_DIR / "var")
SECRET_KEY = env.get_text("SECRET_KEY") or secret_key.load_or_create(DATA_DIR / "secret_key")
ALLOWED_HOSTS = env.get_list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
# Behind a proxy that ends TLS the pages have an https origin that the server itself never sees.
CSRF_TRUSTED_ORIGINS = env.get_list("TRUSTED_ORIGINS", [])
_HTTPS = env.get_boolean("HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _HTTPS else None

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

# --- Application ----------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "daphne",  # first: otherwise runserver speaks WSGI and there are no websockets (daphne.E001)
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "detection",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "chatprotect_web.urls"
ASGI_APPLICATION = "chatprotect_web.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "detection.context_processors.language_model",
            ]
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
APPEND_SLASH = True

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True  # serve static/ as it stands: no build step, no collectstatic
WHITENOISE_MAX_AGE = 0 if DEBUG else 300

# --- Storage --------------------------------------------------------------------------------------------------

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA_DIR / "chatprotect.sqlite3",
        "OPTIONS": {
            # IMMEDIATE takes the write lock at BEGIN. A transaction that starts by reading and then writes would
            # otherwise fail at once with "database is locked", whatever the timeout.
            "transaction_mode": "IMMEDIATE",
            "timeout": 5,
            # Deleted means deleted: without secure_delete the text stays in the file until its page is used again.
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=67108864;"
                "PRAGMA secure_delete=ON;"
            ),
        },
    }
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
    CELERY_BROKER_URL = "memory://"
    CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.1}
else:
    if not REDIS_URL.startswith(("redis://", "rediss://", "unix://")):
        raise ImproperlyConfigured(
            f"{env.PREFIX}REDIS_URL must begin with redis://, rediss:// or unix://, as in redis://127.0.0.1:6379/0."
        )
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL]},
        }
    }
    CELERY_BROKER_URL = REDIS_URL
    # Longer than any check may run: Redis delivers a message again when it is not acknowledged by then.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 2 * 3600}

CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

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
DATA_UPLOAD_MAX_NUMBER_FIELDS = 50

NLI_MODEL = env.get_path("NLI_MODEL", BASE_DIR / "detection" / "data" / "nli")
SPACY_MODEL = env.get_text("SPACY_MODEL") or str(BASE_DIR / "detection" / "data" / "spacy" / "en_detection_sm")
EMBEDDED_CONCURRENCY = env.get_integer("EMBEDDED_CONCURRENCY", 2, minimum=1, maximum=16)
COMPUTE_THREADS = env.get_integer("COMPUTE_THREADS", 2, minimum=1, maximum=64)

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

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "chatprotect_web": {"level": "INFO"},
        "detection": {"level": "INFO"},
        "django": {"level": "WARNING", "handlers": ["stderr"], "propagate": False},
    },
}
