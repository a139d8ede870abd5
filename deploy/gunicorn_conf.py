"""How gunicorn serves the site: `gunicorn --config python:deploy.gunicorn_conf deploy.wsgi`."""

import os

from deploy.webserver import IDLE_SECONDS

bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
# gunicorn starts, replaces and ends the processes; inside each of them waitress serves.
worker_class = "deploy.webserver.Worker"
workers = int(os.environ.get("WEB_PROCESSES", "2"))
threads = int(os.environ.get("WEB_THREADS", "16"))
timeout = 60
graceful_timeout = 15
# A process is replaced now and then, so that nothing it hoards is hoarded for ever.
max_requests = 5000
max_requests_jitter = 500
# So long such a process ends connections with their next answer before it goes itself: then none is left.
keepalive = IDLE_SECONDS
control_socket_disable = True
# Requests are logged by django-structlog, with the user and a number of their own.
accesslog = None
errorlog = "-"
if os.path.isdir("/dev/shm"):  # noqa: S108  (heartbeats must not wait for a disk)
    worker_tmp_dir = "/dev/shm"  # noqa: S108
