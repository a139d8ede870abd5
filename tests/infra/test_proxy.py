"""`deploy/nginx.conf` as nginx runs it, in front of a server that says what it was sent."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import urllib3

from tools.site import PROJECT, free_port
from tools.waiting import eventually

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin")

pytestmark = pytest.mark.skipif(NGINX is None, reason="there is no nginx here")


class Upstream(BaseHTTPRequestHandler):
    """Answers with the headers that it received."""

    def do_GET(self) -> None:
        body = json.dumps({name.lower(): value for name, value in self.headers.items()}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, int]]:
    """The ports of an nginx with the settings of the project: for HTTP and HTTPS."""
    assert NGINX is not None
    folder = tmp_path_factory.mktemp("nginx")
    upstream = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    make = "openssl req -x509 -newkey rsa:2048 -nodes -keyout privkey.pem -out fullchain.pem -days 2"
    subprocess.run([*make.split(), "-subj", "/CN=localhost"], cwd=folder, check=True, capture_output=True)
    found = {"http": free_port(), "https": free_port()}
    text = (PROJECT / "deploy" / "nginx.conf").read_text()
    text = text.replace("listen 443 ", f"listen {found['https']} ")
    text = text.replace("listen 80;", f"listen {found['http']};")
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{upstream.server_port}")
    text = text.replace("/etc/letsencrypt/live/archive.example", str(folder))
    text = re.sub(r" *http2 on;\n", "", text)  # which nginx before 1.25 does not know
    temporary = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{name}_temp_path {folder}/{name};\n" for name in temporary)
    main = f"user root; daemon off; pid {folder}/pid; error_log {folder}/log; events {{}}\n"
    (folder / "nginx.conf").write_text(f"{main}http {{ access_log off; {paths}{text} }}\n")
    process = subprocess.Popen([NGINX, "-c", str(folder / "nginx.conf"), "-p", str(folder)])
    assert eventually(lambda: answers(found["http"]), 20), (folder / "log").read_text()
    yield found
    process.terminate()
    process.wait(20)
    upstream.shutdown()


urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
HTTP = urllib3.PoolManager(retries=False, cert_reqs="CERT_NONE", maxsize=50)


def answers(port: int) -> bool:
    try:
        return HTTP.request("GET", f"http://127.0.0.1:{port}/").status == 301
    except urllib3.exceptions.HTTPError:
        return False


def test_programs_are_not_redirected_to_https(ports: dict[str, int]) -> None:
    """The site itself refuses what came in the clear, as it knows from this header."""
    claims = {"Authorization": "Bearer x", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
    for method in ("GET", "POST"):
        answer = HTTP.request(method, f"http://127.0.0.1:{ports['http']}/api/v1/deals", headers=claims)
        assert answer.status == 200
        received = json.loads(answer.data)
        assert (received["x-forwarded-proto"], received["x-forwarded-for"]) == ("http", "127.0.0.1")
    page = HTTP.request("GET", f"http://127.0.0.1:{ports['http']}/deals/", redirect=False)
    assert (page.status, page.headers["Location"]) == (301, "https://127.0.0.1/deals/")


def test_one_address_cannot_send_any_number_of_requests(ports: dict[str, int]) -> None:
    address = f"https://127.0.0.1:{ports['https']}/api/v1/deals"
    received = json.loads(HTTP.request("GET", address, headers={"X-Forwarded-For": "192.0.2.7"}).data)
    assert (received["x-forwarded-proto"], received["x-forwarded-for"]) == ("https", "127.0.0.1")
    with ThreadPoolExecutor(20) as pool:
        found = list(pool.map(lambda _: HTTP.request("GET", address), range(1500)))
    statuses = [answer.status for answer in found]
    assert set(statuses) == {200, 429}
    assert statuses.count(200) > 400
    refused = next(answer for answer in found if answer.status == 429)
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert json.loads(refused.data)["code"] == "throttled"
    assert int(refused.headers["Retry-After"]) <= 10
