"""Run by the Python that has `roc-validator`: what it finds wrong with a crate, as JSON, without any network.

Arguments: the crate, the least severity, and a file of JSON that has the contexts by their addresses.
"""

import json
import sys
from pathlib import Path

import requests
from rocrate_validator.services import validate
from rocrate_validator.utils.http import HttpRequester

crate, severity, contexts = sys.argv[1:]
known = json.loads(Path(contexts).read_text())


def get(self, url, **_):
    response = requests.Response()
    response.status_code, response.url = (200, url) if url in known else (404, url)
    response.headers["Content-Type"] = "application/ld+json"
    response._content = json.dumps(known.get(url)).encode()
    return response


HttpRequester.get = get
result = validate(
    {"rocrate_uri": crate, "profile_identifier": "process-run-crate", "requirement_severity": severity, "offline": True}
)
issues = [[issue.severity.name, issue.message] for issue in result.get_issues()]
print(json.dumps({"profile": result.context.profile_identifier, "issues": issues}))
