"""The ASGI application, for servers that speak it (the project itself runs under WSGI)."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

application = get_asgi_application()
