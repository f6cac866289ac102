"""What a program does with the client that openapi-python-client has generated into the folder `generated`."""

import os
import sys
import time

sys.path.insert(0, os.getcwd())

from generated import AuthenticatedClient
from generated.api.default import cancel_job, delete_job, generate, generate_image, get_job, get_model, list_jobs
from generated.models import (
    CreateFakeImage,
    CreateFakeImageModel,
    CreateFakeVideo,
    CreateFakeVideoModel,
    Error,
    ErrorErrorCode,
    Estimate,
    GenerateImageDryRun,
    GenerateImageWait,
    Job,
    JobList,
    JobStatus,
    ListJobsStatus,
    Model,
)

client = AuthenticatedClient(base_url=os.environ["BASE"], token=os.environ["KEY"], raise_on_unexpected_status=True)


def wait(job):
    while job.status == JobStatus.PROCESSING:
        time.sleep(0.05)
        job = get_job.sync(job.id, client=client)
        assert isinstance(job, Job), job
    return job


body = CreateFakeVideo(model=CreateFakeVideoModel.FAKE_VIDEO, prompt="a kite", duration=3)
answer = generate.sync_detailed(client=client, body=body, idempotency_key="once")
assert answer.status_code == 202 and isinstance(answer.parsed, Job), answer
video = wait(answer.parsed)
assert (video.status, video.error, len(video.data)) == (JobStatus.COMPLETED, None, 1), video
assert video.completed_at > video.created_at
print("created")

again = generate.sync(client=client, body=body, idempotency_key="once")
assert again.id == video.id, again
print("repeated")

image = generate_image.sync(
    client=client,
    wait=GenerateImageWait.TRUE,
    body=CreateFakeImage(model=CreateFakeImageModel.FAKE_IMAGE, prompt="a kite", num_outputs=2),
)
assert image.status == JobStatus.COMPLETED and len(image.data) == 2, image
print("waited")

estimate = generate_image.sync(
    client=client,
    dry_run=GenerateImageDryRun.TRUE,
    body=CreateFakeImage(model=CreateFakeImageModel.FAKE_IMAGE, prompt="a kite"),
)
assert isinstance(estimate, Estimate) and estimate.accepted and estimate.error is None, estimate
print("estimated")

page = list_jobs.sync(client=client, status=ListJobsStatus.COMPLETED, limit=1)
assert isinstance(page, JobList) and page.has_more, page
rest = list_jobs.sync(client=client, status=ListJobsStatus.COMPLETED, cursor=page.next_cursor)
assert [job.id for job in page.data + rest.data] == [image.id, video.id], (page, rest)
print("listed")

model = get_model.sync("fake-image", client=client)
assert isinstance(model, Model) and model.price is None or model.price.text, model
print("model")

slow = generate.sync(
    client=client,
    body=CreateFakeImage(model=CreateFakeImageModel.FAKE_IMAGE, prompt="a kite", delay_ms=600_000),
)
cancel_job.sync(slow.id, client=client)
ended = wait(slow)
assert ended.status == JobStatus.FAILED and ended.error.startswith("canceled"), ended
assert delete_job.sync_detailed(slow.id, client=client).status_code == 204
print("canceled")

missing = get_job.sync("unknown", client=client)
assert isinstance(missing, Error) and missing.error.code == ErrorErrorCode.JOB_NOT_FOUND, missing
assert missing.error.request_id and missing.error.param is None, missing
print("error")
