"""The WSGI application that gunicorn serves."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

application = get_wsgi_application()

# What is loaded by now stays: to look through it for garbage again and again takes a fifth of the time of a
# page.
gc.collect()
gc.freeze()
