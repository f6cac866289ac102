import { a1111Cases } from './a1111/a1111-cases.ts'
import { aiSdkCases } from './ai-sdk/ai-sdk-cases.ts'
import { arkCases } from './ark/ark-cases.ts'
import { bflCases } from './bfl/bfl-cases.ts'
import { comfyApiCases } from './comfy-api/comfy-api-cases.ts'
import { comfyRouterCases } from './comfy-router/comfy-router-cases.ts'
import { comfyuiCases } from './comfyui/comfyui-cases.ts'
import { falCases } from './fal/fal-cases.ts'
import { googleCases } from './google/google-cases.ts'
import { klingCases } from './kling/kling-cases.ts'
import { openaiCases } from './openai/openai-cases.ts'
import { openaiVideosCases } from './openai-videos/openai-videos-cases.ts'
import { replicateCases } from './replicate/replicate-cases.ts'
import { runpodCases } from './runpod/runpod-cases.ts'
import { runwayCases } from './runway/runway-cases.ts'
import { xaiCases } from './xai/xai-cases.ts'
import type { VendorCase } from './vendor-case.ts'

/** Every provider of a hosted vendor. The sources about each vendor are beside its fake. */
export const vendorCases: Readonly<Record<string, VendorCase>> = {
  ...replicateCases,
  ...falCases,
  ...bflCases,
  ...runpodCases,
  ...runwayCases,
  ...klingCases,
  ...googleCases,
  ...openaiCases,
  ...openaiVideosCases,
  ...a1111Cases,
  ...arkCases,
  ...xaiCases,
  ...comfyuiCases,
  ...comfyRouterCases,
  ...comfyApiCases,
  ...aiSdkCases,
}
