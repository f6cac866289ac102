import type { Fault, Reply } from './fake-comfyui.ts'

/** Answered by what stands before ComfyUI, which never hears of it. */
export const answered =
  (status: number, body: unknown = { error: 'no' }, headers: Reply['headers'] = {}): Fault =>
  async () => ({ status, body, headers })

/** Done by ComfyUI, then answered otherwise. */
export const doneBut =
  (fault: Fault): Fault =>
  async (accept, response) => {
    await accept()
    return fault(accept, response)
  }

export const done: Fault = (accept) => accept()

export const fiftyMegabytes: Fault = async () => ({ status: 200, body: Buffer.alloc(50_000_000, '[') })

/** Whatever a proxy, a login page or another server may say with status 200. */
export const nonsense: Readonly<Record<string, Fault>> = {
  'a page': answered(200, '<h1>Log in</h1>'),
  'an empty body': answered(200, ''),
  null: answered(200, 'null'),
  'a list': answered(200, []),
}

/** What says nothing about a task, from who does not know it, beside what says nothing from any vendor. */
export const passingFaults: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries([404, 410, 422].map((status) => [`status ${status}`, answered(status)])),
  ...nonsense,
}
