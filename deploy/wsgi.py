"""The WSGI application that gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application

from deploy import metrics_folder

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
# Again, since a server that an earlier release started does not have the folder at a reload.
metrics_folder.make()

application = get_wsgi_application()
