import type { Job } from '../contracts/job.ts'
import type { JsonObject } from '../contracts/json.ts'
import { mapTexts } from '../text/map-texts.ts'
import { type InputForm, linkStandIn } from './input-form.ts'
import { uploadsIn } from './input-link.ts'
import type { UploadFiles } from './upload-files.ts'
import { uploadUrl } from './upload-reference.ts'

/** The input of a job as its provider gets it, or why the provider can't get it. */
export type GivenInput = { readonly input: JsonObject } | { readonly gone: string }

/** Puts something that providers can use in the place of the references to uploads in stored inputs. */
export interface UploadsOfJobs {
  /**
   * The input for a submit.
   * @returns `undefined` when it refers to no upload
   * @throws GenerationError `store_unavailable`
   */
  given(job: Job): Promise<GivenInput> | undefined
  /** The input for a provider that has the task already, with links that lead nowhere: nobody reads them again. */
  shown(task: JsonObject): JsonObject
}

/** Makes the part of a service that gives uploads to providers. */
export function uploadsOfJobs(form: InputForm, found: UploadFiles): UploadsOfJobs {
  async function replaced(job: Job, uploads: ReturnType<typeof uploadsIn>): Promise<GivenInput> {
    const texts = new Map<string, string>()
    for (const upload of uploads) {
      const url = uploadUrl(upload)
      if (texts.has(url)) continue
      const file = await found.find(job.owner, upload)
      if (!file) return { gone: `The upload ${url} is no longer there.` }
      texts.set(url, await form.given(job, upload, file))
    }
    return { input: mapTexts(job.task ?? {}, (text) => texts.get(text) ?? text) as JsonObject }
  }

  return {
    given(job) {
      const uploads = uploadsIn(job.task ?? {})
      return uploads.length === 0 ? undefined : replaced(job, uploads)
    },
    shown(task) {
      const texts = new Map(uploadsIn(task).map((upload) => [uploadUrl(upload), linkStandIn(upload)]))
      return texts.size === 0 ? task : (mapTexts(task, (text) => texts.get(text) ?? text) as JsonObject)
    },
  }
}
