"""The Celery app. Its settings are the `CELERY_*` names of `deploy/settings.py`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("tarock-archive")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
