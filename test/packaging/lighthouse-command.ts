/** The words after `genmount` that draw a small picture on the server at `url`, into the file `a.png`. */
export const lighthouseCommand = (url: string): readonly string[] =>
  `generate -m procedural-image -p lighthouse -f resolution=480p --url ${url} -o a.png`.split(' ')
