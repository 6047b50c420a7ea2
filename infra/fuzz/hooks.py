"""Signs in as the user of FUZZ_EMAIL repeatedly, because requests may end the session."""

import os

import requests
import schemathesis


@schemathesis.auth(refresh_interval=5)
class SignIn:
    def get(self, case, context):
        body = {"email": os.environ["FUZZ_EMAIL"], "password": os.environ["FUZZ_PASSWORD"]}
        answer = requests.post(os.environ["FUZZ_URL"] + "/auth/login", json=body, timeout=30)
        answer.raise_for_status()
        return answer.json()["data"]["accessToken"]

    def set(self, case, token, context):
        case.headers["authorization"] = f"Bearer {token}"
