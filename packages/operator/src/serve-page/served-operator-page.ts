import { page } from '#built-page'
import {
  type AcceptedOptions,
  checkPageOptions,
  isAddress,
  isPath,
  type ServedPage,
} from '@genmount/page-kit/serve'
import type { MountedOperatorPageOptions, OperatorPageOptions } from './operator-page-options.ts'

const accepted: AcceptedOptions<keyof OperatorPageOptions> = {
  baseUrl: [
    "'', a path such as '/media', or an address such as 'https://api.example', with no slash at its end",
    (value) => isPath(value) || isAddress(value),
  ],
}

const acceptedMounted: AcceptedOptions<keyof MountedOperatorPageOptions> = {
  ...accepted,
  mountPath: ["'' or a path such as '/operator', with no slash at its end", isPath],
}

/**
 * Checks the options and sets the defaults.
 * @param factory the function that takes the options, for error messages
 * @throws TypeError that names the wrong option and says what it accepts
 */
export function servedOperatorPage(factory: string, options: OperatorPageOptions): ServedPage {
  checkPageOptions(factory, options, accepted)
  const { baseUrl = '' } = options
  return {
    page,
    settings: { baseUrl },
    otherOrigins: [],
    permissions: ['camera=()', 'clipboard-write=(self)', 'fullscreen=()'],
  }
}

/** `servedOperatorPage` with the path of the page. */
export function mountedOperatorPage(
  factory: string,
  options: MountedOperatorPageOptions,
): [served: ServedPage, mountPath: string] {
  checkPageOptions(factory, options, acceptedMounted)
  const { mountPath = '/operator', ...others } = options
  return [servedOperatorPage(factory, others), mountPath]
}
