import type { Job } from '../contracts/job.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { SubmitInput } from '../contracts/service-plugin.ts'
import { byteBudget } from '../sharing/byte-budget.ts'
import { mapTexts } from '../text/map-texts.ts'
import { type InputForm, linkStandIn } from './input-form.ts'
import { uploadsIn } from './input-link.ts'
import type { UploadFiles } from './upload-files.ts'
import { type UploadId, uploadUrl } from './upload-reference.ts'

/**
 * How many bytes of uploads all submits of this process hold within data URIs at the same time. Without a limit, many jobs
 * that refer to one upload would fill the memory.
 */
const maxHeldBytes = 96 * 1024 * 1024

/** Makes the part of a service that passes uploads to providers. `given` rejects when the file store fails. */
export function uploadsOfJobs(form: InputForm, uploadFiles: UploadFiles) {
  const held = byteBudget(maxHeldBytes)

  async function submitInput(job: Job, input: JsonObject): Promise<SubmitInput> {
    const uploads = uploadsIn(input)
    const releases: (() => void)[] = []
    const letGo = () => {
      for (const release of releases.splice(0)) release()
    }
    const texts = new Map<string, string>()
    for (const [url, upload] of byUrl(uploads)) {
      const file = await uploadFiles.find(job.owner, upload)
      // The provider's request contains a text once for each time that the input contains it.
      const times = uploads.filter(({ id }) => id === upload.id).length
      const release = file && held.hold(times * form.inlineBytes(file))
      if (!file || !release) {
        letGo()
        return file ? { later: {} } : { gone: `The upload ${url} is no longer there.` }
      }
      releases.push(release)
      texts.set(
        url,
        await form.link(job, upload, file).catch((fault: unknown) => (letGo(), Promise.reject(fault))),
      )
    }
    return { input: mapTexts(input, (text) => texts.get(text) ?? text) as JsonObject, letGo }
  }

  const byUrl = (uploads: readonly UploadId[]) =>
    new Map(uploads.map((upload) => [uploadUrl(upload), upload]))

  return {
    submitInput,
    /** The input for a provider that already has the task. Its links lead nowhere, because nobody reads them again. */
    taskInput(task: JsonObject) {
      const urls = byUrl(uploadsIn(task))
      const standInOf = (text: string) => {
        const upload = urls.get(text)
        return upload ? linkStandIn(upload) : text
      }
      return mapTexts(task, standInOf) as JsonObject
    },
  }
}
