import type { AnyModels, Client } from '@genmount/client'
import type { ChosenFile } from '../form/values.ts'
import { errorWords } from '../words/error-words.ts'
import { sendFile } from './send-file.ts'

let lastKey = 0

/**
 * Adds a file to a field: shows it at once, and uploads it to the service.
 * @param tell called with the file at once, and again after the upload has succeeded or failed
 */
export function chooseFile(
  client: Client<AnyModels>,
  blob: Blob,
  name: string | undefined,
  tell: (file: ChosenFile) => void,
): void {
  const chosen: ChosenFile = {
    key: `file-${++lastKey}`,
    name: name ?? (blob instanceof File ? blob.name : 'file'),
    preview: URL.createObjectURL(blob),
    url: undefined,
    error: undefined,
  }
  tell(chosen)
  sendFile(client, blob).then(
    (url) => tell({ ...chosen, url }),
    (error: unknown) => {
      const { title, text } = errorWords(error)
      tell({ ...chosen, error: `${title}: ${text}` })
    },
  )
}
