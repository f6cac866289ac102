import type { FurtherInterface, FurtherInterfaceParts } from '../interface/further-interface.ts'
import { keyedRoutes } from '../interface/keyed-routes.ts'
import type { MountableInterface } from '../interface/mountable-interface.ts'
import { interfaceHost } from './interface-host.ts'

/**
 * Makes a further interface over a service, for the option `interfaces`.
 * @example
 * const health = furtherInterface({
 *   path: '/media/v2',
 *   refusal: ({ message }) => ({ status: 400, headers: {}, body: message }),
 *   routes: () => [{ path: '/owner', answers: { GET: async ({ owner }) => ({ status: 200, headers: {}, body: owner }) } }],
 * })
 */
export function furtherInterface(parts: FurtherInterfaceParts): FurtherInterface {
  const { path: root } = parts
  const mountable: MountableInterface = {
    path: root,
    routesAt({ context, linkTo, refusing }) {
      const { withKey } = keyedRoutes(
        context,
        refusing((error) => parts.refusal(error)),
      )
      const routes = parts.routes(interfaceHost(context, linkTo))
      return [
        ...routes.map(({ path, answers }) => withKey(root + path, answers)),
        withKey(root, {}),
        withKey(`${root}/*`, {}),
      ]
    },
  }
  return mountable as object as FurtherInterface
}
