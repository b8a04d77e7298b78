"""Telling people: one alert, by webhook and by mail. When there is something to tell belongs to
`defs.alerts`."""

from __future__ import annotations

import json
import smtplib
import ssl
from dataclasses import asdict, dataclass
from email.message import EmailMessage
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit
from urllib.request import Request, urlopen

from finrag_pipeline.errors import AlertUndelivered
from finrag_pipeline.settings import Settings

_TIMEOUT_S = 15.0

#: Paths of the robots of group chats (企业微信, 钉钉, 飞书), which take a text in a form of their
#: own and nothing else, and answer 200 with an error in the body.
_WECOM, _DINGTALK, _FEISHU = "/cgi-bin/webhook/send", "/robot/send", "/open-apis/bot/v2/hook/"


@dataclass(frozen=True, slots=True)
class Alert:
    """What happened to one run.

    Attributes:
        what: e.g. ``failed``.
        step: the asset that failed; None where no step did.
        reason: the one line of the error, with its mend.
        url: the run in the UI; None where nobody said where that is.
    """

    job: str
    run_id: str
    partition: str | None
    what: str
    step: str | None
    reason: str
    url: str | None

    @property
    def subject(self) -> str:
        return f"finrag: {self.job}{f' of {self.partition}' if self.partition else ''} {self.what}"

    @property
    def text(self) -> str:
        """For people: subject, reason, and where to look."""
        return "\n".join([self.subject, self.reason, self.url or f"run {self.run_id}"])


def send_alert(settings: Settings, alert: Alert) -> None:
    """Send to every address that is set; one that fails does not keep the others from it.

    Raises:
        AlertUndelivered: whom it did not reach, and why.
    """
    failed: list[str] = []
    if settings.alert_webhook:
        host = urlsplit(settings.alert_webhook).hostname
        try:
            _post(settings.alert_webhook, alert)
        except (OSError, ValueError, HTTPException) as error:
            failed.append(f"FINRAG_ALERT_WEBHOOK ({host}): {_why(error)}")
    if settings.alert_mail and settings.smtp_url:
        host = urlsplit(settings.smtp_url).hostname
        try:
            _mail(settings.smtp_url, settings.alert_mail, alert)
        except (OSError, ValueError) as error:
            failed.append(f"FINRAG_ALERT_MAIL by FINRAG_SMTP_URL ({host}): {_why(error)}")
    if failed:
        raise AlertUndelivered(f"{alert.subject}; not delivered to {'; '.join(failed)}")


def _post(url: str, alert: Alert) -> None:
    path = urlsplit(url).path
    robot = True
    if path.endswith((_WECOM, _DINGTALK)):
        body: dict[str, Any] = {"msgtype": "text", "text": {"content": alert.text}}
    elif _FEISHU in path:
        body = {"msg_type": "text", "content": {"text": alert.text}}
    else:
        body, robot = {**asdict(alert), "text": alert.text}, False
    headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": "finrag"}
    data = json.dumps(body, ensure_ascii=False).encode()
    with urlopen(Request(url, data=data, headers=headers), timeout=_TIMEOUT_S) as response:
        reply = response.read(10_000)
    if robot:
        answered: dict[str, Any] = json.loads(reply)
        if answered.get("errcode") or answered.get("code"):
            raise ValueError(f"it refused: {answered.get('errmsg') or answered.get('msg')}")


def _mail(smtp_url: str, address: str, alert: Alert) -> None:
    server = urlsplit(smtp_url)
    user, password = unquote(server.username or ""), unquote(server.password or "")
    message = EmailMessage()
    message["Subject"] = alert.subject
    message["To"] = address
    message["From"] = user if "@" in user else address
    message.set_content(alert.text)
    host, context = server.hostname or "", ssl.create_default_context()
    if server.scheme == "smtps":
        smtp = smtplib.SMTP_SSL(host, server.port or 465, timeout=_TIMEOUT_S, context=context)
    else:
        smtp = smtplib.SMTP(host, server.port or 587, timeout=_TIMEOUT_S)
    with smtp:
        smtp.ehlo()
        if server.scheme == "smtp" and smtp.has_extn("starttls"):
            smtp.starttls(context=context)
        elif server.scheme == "smtp" and password:
            raise ValueError("the server offers no STARTTLS, and the password is not sent openly")
        if password:
            smtp.login(user, password)
        smtp.send_message(message)


def _why(error: Exception) -> str:
    if isinstance(error, HTTPError):
        return f"it answered {error.code} {error.reason}"
    if isinstance(error, URLError):
        return str(error.reason)
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        said = said.decode(errors="replace") if isinstance(said, bytes) else said
        return f"it answered {error.smtp_code} {said}"
    return " ".join(str(error).split()) or type(error).__name__
