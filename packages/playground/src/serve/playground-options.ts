/** The options of the page, the same on every host. */
export interface PlaygroundOptions {
  /**
   * The address of the service in front of `/v1`: a path of this app such as `/media`, or the address of another origin
   * such as `https://api.example/media`. A service at another origin must allow the page with its option `cors`.
   * @default '' (`/v1` at the root of this app)
   */
  readonly baseUrl?: string | undefined
  /**
   * Other origins from which the page may load outputs, such as that of the bucket which keeps them:
   * `['https://bucket.s3.eu-central-1.amazonaws.com']`. These origins must allow the page by CORS.
   * @default none: outputs come from the service
   */
  readonly outputOrigins?: readonly string[] | undefined
  /**
   * An API key with which the page starts, so that visitors need not type one. Everybody who can open the page can read
   * and use this key.
   * @default none: the page asks for a key, and keeps it until its tab is closed
   */
  readonly publicKey?: string | undefined
  /**
   * `'any'` lets the page start without a key, for services that recognise visitors by a session or a cookie. The
   * service needs the same option. The page asks for a key when the service does not recognise the visitor.
   * @default 'bearer'
   */
  readonly credentials?: 'bearer' | 'any' | undefined
  /**
   * Whether the service has the plugin `outputFacts`. Below each output the page then says what it is: its size, its type, and
   * whether it is marked as made by AI.
   * @default false
   */
  readonly outputFacts?: boolean | undefined
}

/** `PlaygroundOptions` for hosts that do not know the path at which the page is mounted. */
export interface MountedPlaygroundOptions extends PlaygroundOptions {
  /** The path of the page, without a slash at its end, such as `/playground`. @default '' (the root) */
  readonly mountPath?: string | undefined
}
