import type { Fault, Reply } from './fake-comfyui.ts'

/** A proxy in front of ComfyUI answers, and the request never reaches ComfyUI. */
export const answered =
  (status: number, body: unknown = { error: 'no' }, headers: Reply['headers'] = {}): Fault =>
  async () => ({ status, body, headers })

/** ComfyUI executes the request, but the client gets another answer. */
export const doneBut =
  (fault: Fault): Fault =>
  async (accept, response) => {
    await accept()
    return fault(accept, response)
  }

export const done: Fault = (accept) => accept()

export const fiftyMegabytes: Fault = async () => ({ status: 200, body: Buffer.alloc(50_000_000, '[') })

/** Bodies that a proxy, a login page or another server may send with status 200. */
export const nonsense: Readonly<Record<string, Fault>> = {
  'a page': answered(200, '<h1>Log in</h1>'),
  'an empty body': answered(200, ''),
  null: answered(200, 'null'),
  'a list': answered(200, []),
}

/** Answers of ComfyUI that say nothing about a task, in addition to the answers that say nothing at any vendor. */
export const passingFaults: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries([404, 410, 422].map((status) => [`status ${status}`, answered(status)])),
  ...nonsense,
}
