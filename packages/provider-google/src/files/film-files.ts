import type { ProviderReport } from '@genmount/core'
import { type AnswerFiles, answerFiles, fetchedReport, listedFiles } from '@genmount/provider-kit'
import type { GoogleClient, TaskFetching } from '../client/google-client.ts'
import { googleFile } from './google-file.ts'

/** Links to films open only with the API key, so this process fetches them from wherever they are. */
const anyLink = (link: string): string | undefined =>
  /^gs:/i.test(link) ? 'is in a bucket that this service cannot read' : undefined

/** The films in a part of an answer: links that {@link filmsReport} can fetch, and films in base64. */
export function filmsIn(part: unknown, at: string): AnswerFiles {
  return answerFiles(part, { kind: 'video', linkFault: anyLink }, at)
}

/** Downloads the films of a finished task and reports them. The promises are those of `fetchedReport`. */
export function filmsReport(
  films: AnswerFiles,
  client: GoogleClient,
  fetching: TaskFetching,
  task: Parameters<typeof fetchedReport>[2],
): Promise<ProviderReport> {
  const list = films.list.map((film) => {
    const { output } = film
    return output && 'url' in output
      ? { ...film, output: { ...output, url: googleFile(output.url, client).content } }
      : film
  })
  return fetchedReport(listedFiles(list), { ...client, ...fetching }, task)
}
