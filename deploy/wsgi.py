"""The WSGI application that gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application

from deploy import metrics_folder

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
# Create the folder here, too: after a reload, a server that an earlier release started doesn't have it.
metrics_folder.make()

application = get_wsgi_application()
