"""What OpenAI's SDK for Python does with the interface. Prints one line for each case that holds."""

import base64
import os
import sys

import openai

client = openai.OpenAI(api_key="alice-key", base_url=os.environ["BASE"], max_retries=0)
fox = {"model": "painter", "prompt": "a fox"}
png = base64.b64decode(os.environ["PNG"])


def is_png(text):
    return base64.b64decode(text)[1:4] == b"PNG"


def raises(kind, call):
    try:
        call()
    except kind:
        return True
    return False


def pictures():
    return all(is_png(each.b64_json) for each in client.images.generate(**fox, n=4).data)


def link():
    return client.images.generate(**fox, response_format="url").data[0].url.startswith("http")


def edit():
    files = [("a.png", png, "image/png"), ("b.png", png, "image/png")]
    answer = client.images.edit(**fox, image=files, mask=("mask.png", png, "image/png"))
    return is_png(answer.data[0].b64_json)


def stream():
    more = {"delay_ms": 4000, "preview": True}
    events = client.images.generate(
        model="fake-image", prompt="a fox", stream=True, partial_images=1, extra_body=more
    )
    return [event.type for event in events] == ["image_generation.partial_image", "image_generation.completed"]


def film():
    video = client.videos.create_and_poll(model="filmer", prompt="a kite", size="1280x720")
    content = client.videos.download_content(video.id).read()
    remix = client.videos.remix(video.id, prompt="at night")
    listed = [each.id for each in client.videos.list(limit=2).data]
    deleted = client.videos.delete(video.id).deleted
    return content[4:8] == b"ftyp" and listed == [remix.id, video.id] and deleted


def errors():
    def refuses(kind, model, **more):
        return raises(kind, lambda: client.images.generate(**{**fox, "model": model, **more}))

    stranger = client.with_options(api_key="wrong")
    keyed = client.with_options(default_headers={"Idempotency-Key": "order-7"})
    keyed.images.generate(**fox)
    film = client.videos.create(model="fake-video", prompt="a", extra_body={"delay_ms": 60000})
    return (
        raises(openai.AuthenticationError, lambda: stranger.images.generate(**fox))
        and refuses(openai.NotFoundError, "none")
        and refuses(openai.BadRequestError, "painter", n=0)
        and refuses(openai.BadRequestError, "refuser")
        and refuses(openai.PermissionDeniedError, "forbidden")
        and refuses(openai.RateLimitError, "crowded")
        and refuses(openai.InternalServerError, "breaker")
        and raises(openai.ConflictError, lambda: client.videos.delete(film.id))
        and raises(openai.UnprocessableEntityError, lambda: keyed.images.generate(model="painter", prompt="b"))
    )


for case in (pictures, link, edit, stream, film, errors):
    assert case(), case.__name__
    print(case.__name__, file=sys.stdout)
