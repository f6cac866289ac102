import { type AnyModels, type Client, takesNoUploads } from '@genmount/client'

/**
 * The largest file that the page sends inside a create. Base64 makes a file a third larger, and a body may have 20 MiB.
 */
const maxInlineBytes = 14_000_000

/** The services that have answered that they take no uploads. The page tries an upload once for each service. */
const withoutUploads = new WeakSet<Client<AnyModels>>()

/**
 * Makes a URL for a file in an input: uploads the file, or makes a data URI if the service takes no uploads.
 * @throws Error that says in words why the file can't be sent
 */
export async function sendFile(client: Client<AnyModels>, file: Blob): Promise<string> {
  if (!withoutUploads.has(client)) {
    try {
      return (await client.upload(file)).url
    } catch (error) {
      if (!takesNoUploads(error)) throw error
      withoutUploads.add(client)
    }
  }
  if (file.size > maxInlineBytes)
    throw new Error(
      'The file is too large for this service, which takes no uploads. At most 14 MB are possible.',
    )
  return dataUri(file)
}

function dataUri(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(new Error('The file can not be read.')))
    reader.readAsDataURL(file)
  })
}
