/** The options of the page of operators, the same on every host. */
export interface OperatorPageOptions {
  /**
   * The address of the service in front of `/v1`: a path of this app such as `/media`, or the address of another origin
   * such as `https://api.example/media`. A service at another origin must allow the page with its option `cors`.
   * @default '' (`/v1` at the root of this app)
   */
  readonly baseUrl?: string | undefined
}

/** `OperatorPageOptions` for hosts that do not know the path at which the page is mounted. */
export interface MountedOperatorPageOptions extends OperatorPageOptions {
  /** The path of the page, without a slash at its end. `''` is the root. @default '/operator' */
  readonly mountPath?: string | undefined
}
