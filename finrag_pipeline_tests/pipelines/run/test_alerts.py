"""Alerts over real servers: what a webhook and a mail server receive, and what is said when they
receive nothing."""

from __future__ import annotations

import socket
import ssl
import subprocess
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from urllib.parse import quote

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope

from finrag_pipeline.errors import AlertUndelivered
from finrag_pipeline.pipelines.run.alerts import Alert, send_alert
from finrag_pipeline.settings import Settings

ALERT = Alert(
    job="nightly_ingestion",
    run_id="0a1b",
    partition="2026-03-09",
    what="failed",
    step="raw_pdfs",
    reason="/收件箱 does not exist; check the path",
    url="https://finrag.example/runs/0a1b",
)
TEXT = (
    "finrag: nightly_ingestion of 2026-03-09 failed\n"
    "/收件箱 does not exist; check the path\n"
    "https://finrag.example/runs/0a1b"
)
USER, PASSWORD = "ops@mail.example", "p@ss/w:rd"


class Mailbox:
    """An SMTP server on this host that keeps what it receives; logins only where TLS is on."""

    def __init__(self, tls: ssl.SSLContext | None, known: bool) -> None:
        self.letters: list[Envelope] = []
        self.logins: list[tuple[bytes, bytes]] = []
        self._known = known
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        # TLS that is required refuses the mail of a client that did not start it
        self.controller = Controller(
            self,
            hostname="127.0.0.1",
            port=self.port,
            tls_context=tls,
            require_starttls=tls is not None,
            authenticator=self._authenticate,
            auth_required=tls is not None,
        )

    async def handle_DATA(self, server: SMTP, session: object, envelope: Envelope) -> str:
        self.letters.append(envelope)
        return "250 kept"

    def _authenticate(self, server, session, envelope, mechanism, data) -> AuthResult:
        self.logins.append((data.login, data.password))
        return AuthResult(success=self._known, handled=False)


@pytest.fixture
def mail_server() -> Iterator:
    """Start mail servers; each is ended after the test."""
    started: list[Mailbox] = []

    def start(tls: ssl.SSLContext | None = None, *, known: bool = True) -> Mailbox:
        mailbox = Mailbox(tls, known)
        mailbox.controller.start()
        started.append(mailbox)
        return mailbox

    yield start
    for mailbox in started:
        mailbox.controller.stop()


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A certificate for 127.0.0.1 that this process trusts."""
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    command += ["-keyout", str(key), "-out", str(cert)]
    subprocess.run(command, check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(cert))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(cert, key)
    return context


def settings(**given: str) -> Settings:
    return Settings(_env_file=None, **given)  # pyright: ignore[reportArgumentType]


def test_a_webhook_gets_one_object_with_a_text_for_people(httpserver):
    httpserver.expect_oneshot_request("/hook", method="POST").respond_with_data("ok")
    send_alert(settings(alert_webhook=httpserver.url_for("/hook?token=1")), ALERT)
    request, _ = httpserver.log[0]
    assert request.args["token"] == "1"
    assert request.content_type == "application/json; charset=utf-8"
    assert request.json == {
        "text": TEXT,
        "job": "nightly_ingestion",
        "run_id": "0a1b",
        "partition": "2026-03-09",
        "what": "failed",
        "step": "raw_pdfs",
        "reason": "/收件箱 does not exist; check the path",
        "url": "https://finrag.example/runs/0a1b",
    }


@pytest.mark.parametrize(
    ("path", "body", "accepts", "refuses"),
    [
        (
            "/cgi-bin/webhook/send?key=k",
            {"msgtype": "text", "text": {"content": TEXT}},
            {"errcode": 0, "errmsg": "ok"},
            {"errcode": 93000, "errmsg": "invalid webhook url"},
        ),
        (
            "/robot/send?access_token=t",
            {"msgtype": "text", "text": {"content": TEXT}},
            {"errcode": 0, "errmsg": "ok"},
            {"errcode": 310000, "errmsg": "keywords not in content"},
        ),
        (
            "/open-apis/bot/v2/hook/abc",
            {"msg_type": "text", "content": {"text": TEXT}},
            {"code": 0, "msg": "success"},
            {"code": 19001, "msg": "param invalid"},
        ),
    ],
)
def test_robots_of_group_chats_get_their_own_form(httpserver, path, body, accepts, refuses):
    url = httpserver.url_for(path)
    httpserver.expect_ordered_request(path.partition("?")[0]).respond_with_json(accepts)
    httpserver.expect_ordered_request(path.partition("?")[0]).respond_with_json(refuses)
    send_alert(settings(alert_webhook=url), ALERT)
    assert httpserver.log[0][0].json == body
    with pytest.raises(AlertUndelivered, match=f"it refused: {list(refuses.values())[1]}"):
        send_alert(settings(alert_webhook=url), ALERT)


def test_mail_goes_over_tls_with_a_login(mail_server, certificate):
    mailbox = mail_server(certificate)
    url = f"smtp://{quote(USER, safe='')}:{quote(PASSWORD, safe='')}@127.0.0.1:{mailbox.port}"
    send_alert(settings(alert_mail="night@desk.example, boss@desk.example", smtp_url=url), ALERT)
    assert mailbox.logins == [(USER.encode(), PASSWORD.encode())]
    (letter,) = mailbox.letters
    assert letter.rcpt_tos == ["night@desk.example", "boss@desk.example"]
    assert isinstance(letter.content, bytes)
    message = message_from_bytes(letter.content, policy=default)
    assert message["From"] == USER
    assert message["Subject"] == "finrag: nightly_ingestion of 2026-03-09 failed"
    assert message.get_content().splitlines() == TEXT.splitlines()


def test_a_relay_without_tls_takes_mail_but_no_password(mail_server):
    mailbox = mail_server()
    send_alert(
        settings(alert_mail="a@desk.example", smtp_url=f"smtp://127.0.0.1:{mailbox.port}"), ALERT
    )
    assert len(mailbox.letters) == 1
    with_login = settings(
        alert_mail="a@desk.example", smtp_url=f"smtp://user:secret@127.0.0.1:{mailbox.port}"
    )
    with pytest.raises(AlertUndelivered, match="no STARTTLS") as caught:
        send_alert(with_login, ALERT)
    assert "secret" not in str(caught.value)
    assert mailbox.logins == []


def test_what_was_not_delivered_is_one_line_and_the_other_way_is_still_taken(
    httpserver, mail_server, certificate
):
    httpserver.expect_request("/hook/secret-token").respond_with_data("no", status=503)
    mailbox = mail_server(certificate, known=False)
    both = settings(
        alert_webhook=httpserver.url_for("/hook/secret-token"),
        alert_mail="a@desk.example",
        smtp_url=f"smtp://user:secret@127.0.0.1:{mailbox.port}",
    )
    with pytest.raises(AlertUndelivered) as caught:
        send_alert(both, ALERT)
    line = str(caught.value)
    assert line.startswith("finrag: nightly_ingestion of 2026-03-09 failed; not delivered to ")
    assert "FINRAG_ALERT_WEBHOOK (localhost): it answered 503" in line
    assert "FINRAG_SMTP_URL (127.0.0.1): it answered 535" in line
    assert "secret" not in line
    assert "\n" not in line


def test_nobody_there_is_a_line():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(AlertUndelivered, match=r"Connection refused.*Connection refused"):
        send_alert(
            settings(
                alert_webhook=f"http://127.0.0.1:{port}/",
                alert_mail="a@desk.example",
                smtp_url=f"smtp://127.0.0.1:{port}",
            ),
            ALERT,
        )
