// What OpenAI's SDK for Go does with the interface. Prints one line for each case that holds.
package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

var ctx = context.Background()
var png, _ = base64.StdEncoding.DecodeString(os.Getenv("PNG"))
var client = openai.NewClient(
	option.WithBaseURL(os.Getenv("BASE")+"/"), option.WithAPIKey("alice-key"), option.WithMaxRetries(0),
)
var fox = openai.ImageGenerateParams{Model: "painter", Prompt: "a fox"}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func isPng(text string) bool {
	file, err := base64.StdEncoding.DecodeString(text)
	return err == nil && len(file) > 4 && string(file[1:4]) == "PNG"
}

func picture(name string) io.Reader { return openai.File(bytes.NewReader(png), name, "image/png") }

func pictures() bool {
	body := fox
	body.N = openai.Int(4)
	answer, err := client.Images.Generate(ctx, body)
	check(err)
	return len(answer.Data) == 4 && isPng(answer.Data[3].B64JSON)
}

func link() bool {
	body := fox
	body.ResponseFormat = "url"
	answer, err := client.Images.Generate(ctx, body)
	check(err)
	return strings.HasPrefix(answer.Data[0].URL, "http")
}

func edit() bool {
	answer, err := client.Images.Edit(ctx, openai.ImageEditParams{
		Model:  "painter",
		Prompt: "a hat",
		Image:  openai.ImageEditParamsImageUnion{OfFileArray: []io.Reader{picture("a.png"), picture("b.png")}},
		Mask:   picture("mask.png"),
	})
	check(err)
	return isPng(answer.Data[0].B64JSON)
}

func stream() bool {
	body := openai.ImageGenerateParams{Model: "fake-image", Prompt: "a fox", PartialImages: openai.Int(1)}
	more := []option.RequestOption{option.WithJSONSet("delay_ms", 4000), option.WithJSONSet("preview", true)}
	events := client.Images.GenerateStreaming(ctx, body, more...)
	var types []string
	for events.Next() {
		types = append(types, events.Current().Type)
	}
	check(events.Err())
	return strings.Join(types, " ") == "image_generation.partial_image image_generation.completed"
}

func film() bool {
	reference := openai.VideoNewParamsInputReferenceUnion{OfFile: picture("a.png")}
	video, err := client.Videos.NewAndPoll(ctx, openai.VideoNewParams{
		Model: "filmer", Prompt: "a kite", Seconds: "8", Size: "1280x720", InputReference: reference,
	}, 100)
	check(err)
	content, err := client.Videos.DownloadContent(ctx, video.ID, openai.VideoDownloadContentParams{})
	check(err)
	file, err := io.ReadAll(content.Body)
	check(err)
	remix, err := client.Videos.Remix(ctx, video.ID, openai.VideoRemixParams{Prompt: "at night"})
	check(err)
	list, err := client.Videos.List(ctx, openai.VideoListParams{Limit: openai.Int(2)})
	check(err)
	deleted, err := client.Videos.Delete(ctx, video.ID)
	check(err)
	return string(file[4:8]) == "ftyp" && list.Data[0].ID == remix.ID && list.Data[1].ID == video.ID && deleted.Deleted
}

// The SDK for Go has one type for all errors, with the status and the code.
func failures() bool {
	statusOf := func(model string, options ...option.RequestOption) (int, string) {
		_, err := client.Images.Generate(ctx, openai.ImageGenerateParams{Model: model, Prompt: "a"}, options...)
		var failure *openai.Error
		if !errors.As(err, &failure) {
			panic(err)
		}
		return failure.StatusCode, failure.Code
	}
	stranger, _ := statusOf("painter", option.WithAPIKey("wrong"))
	missing, _ := statusOf("none")
	refused, code := statusOf("refuser")
	return stranger == http.StatusUnauthorized && missing == http.StatusNotFound &&
		refused == http.StatusBadRequest && code == "moderation_blocked"
}

func main() {
	names := []string{"pictures", "link", "edit", "stream", "film", "errors"}
	for index, holds := range []func() bool{pictures, link, edit, stream, film, failures} {
		if !holds() {
			panic(names[index])
		}
		fmt.Println(names[index])
	}
}
