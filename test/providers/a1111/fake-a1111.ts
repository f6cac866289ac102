import { base64File, type Charge, isOneOf, type VendorReply, vendorServer } from '../vendor-server.ts'

/*
 * The image routes of AUTOMATIC1111's web UI (`--api --api-auth user:password`), and how its relatives differ.
 * Sources: AUTOMATIC1111/stable-diffusion-webui modules/api/api.py and models.py (txt2img, img2img, the handler of
 * exceptions); vladmandic/automatic (SD.Next) modules/api/generate.py at 431bcc3; drawthingsai/draw-things-community
 * Libraries/HTTPAPIServer/Sources at bfafc68, which refuses keys that it does not know, and answers with `images` alone.
 */

export const login = 'artist:pass_0f_the_server'

const parameters =
  'prompt negative_prompt seed steps width height cfg_scale batch_size sampler_name denoising_strength init_images mask override_settings override_settings_restore_afterwards'

/** @param asDrawThings whether it answers as Draw Things does */
export async function fakeA1111(asDrawThings = false) {
  const ledger: Charge[] = []
  const server = await vendorServer(({ method, url, headers, json }): VendorReply => {
    const path = url.pathname
    if (!asDrawThings && headers['authorization'] !== `Basic ${btoa(login)}`)
      return { status: 401, json: { detail: 'Incorrect username or password' } }
    if (method !== 'POST' || !/^\/sdapi\/v1\/(?:txt|img)2img$/.test(path))
      return { status: 404, json: { detail: 'Not Found' } }
    const body = json()
    const unknown = Object.keys(body).filter((key) => !isOneOf(parameters, key) || /override/.test(key))
    if (asDrawThings && unknown.length > 0)
      return exception(422, 'HTTPException', `Unrecognized keys: ${JSON.stringify(unknown)}`, '')
    if (path.endsWith('img2img') && !Array.isArray(body['init_images']))
      return { status: 404, json: { detail: 'Init image not found' } }
    if (String(body['prompt']).includes('enormous'))
      return exception(500, 'OutOfMemoryError', '', 'CUDA out of memory. Tried to allocate 2.00 GiB')
    ledger.push({ path, body })
    const images = Array.from({ length: Number(body['batch_size'] ?? 1) }, (_, index) =>
      base64File('image', index),
    )
    return { json: asDrawThings ? { images } : { images, parameters: body, info: '{"seed": 7}' } }
  })
  return { ...server, ledger }
}

function exception(status: number, error: string, detail: string, errors: string): VendorReply {
  return { status, json: { error, detail, body: '', errors } }
}
