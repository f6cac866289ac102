import type { Provider } from '@genmount/core'
import { proceduralProvider } from '@genmount/provider-procedural'
import type { Settings } from './settings.ts'

/** The providers that need no key: the procedural provider, and the ESRGAN provider if its package is installed. */
export async function installedProviders({ allowSimulation }: Settings): Promise<Provider[]> {
  const drawing = proceduralProvider({ allowSimulation })
  try {
    const { esrganProvider } = await import('@genmount/provider-esrgan')
    return [drawing, esrganProvider()]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return [drawing]
  }
}
