const words = (...lines: readonly string[]) => lines.flatMap((line) => line.split(' '))

/** No public host has any of these. Given to the guard as literal hosts and as DNS answers. */
export const hostileAddresses = words(
  // "This" network, loopback, private use, shared address space, link-local, cloud metadata
  '0.0.0.0 0.1.2.3 127.0.0.1 127.0.0.2 127.255.255.254 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.254',
  '192.168.0.1 192.168.255.254 100.64.0.1 100.100.100.200 100.127.255.254 169.254.0.1 169.254.169.254',
  '169.254.170.2 168.63.129.16 192.0.0.192',
  // Documentation, benchmarks, deprecated relays, multicast, reserved, broadcast
  '192.0.2.1 198.51.100.7 203.0.113.9 198.18.0.1 198.19.255.254 192.88.99.1 192.31.196.1 192.52.193.1',
  '192.175.48.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255',
  // IPv6: unspecified, loopback, unique local, link-local, site-local, multicast, documentation, discard
  ':: ::1 fc00::1 fd00:ec2::254 fd20:ce::254 fe80::1 febf::1 fec0::1 ff02::1 2001:db8::1 3fff::1 100::1 5f00::1',
  '2001:1ff::1 2620:4f:8000::1 4000::1',
  // IPv6 that carries IPv4: mapped, compatible, translated, NAT64, 6to4, Teredo
  '::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::ffff:10.0.0.1 ::127.0.0.1 ::8.8.8.8 ::7f00:1 ::808:808 ::ffff:0:127.0.0.1',
  '64:ff9b::10.0.0.1 64:ff9b::7f00:1 64:ff9b::a83f:8110 64:ff9b:1::808:808 2002:7f00:1::1 2002:808:808::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
)

/** Hosts that are 127.0.0.1 or another of this machine's own addresses, in spellings that are easily overlooked. */
export const loopbackSpellings = words(
  '127.0.0.1 127.0.0.1. 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0x7f.0.0.0x1 0177.0.0.1 017700000001',
  '127.000.000.001 127%2e0%2e0%2e1 %31%32%37.0.0.1 １２７.０.０.１ 127。0。0。1 ①②⑦.⓪.⓪.① 127.127.127.127',
  '0.0.0.0 0 [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001]',
)

/** Refused by their text alone, whatever the network. */
export const hostileUrls: [url: string, reason: string][] = [
  ['', 'bad_url'],
  ['//no-scheme.example/a.png', 'bad_url'],
  ['/etc/passwd', 'bad_url'],
  ['http://', 'bad_url'],
  ['http://256.0.0.1/', 'bad_url'],
  ['http://1.2.3.4.5/', 'bad_url'],
  ['http://[fe80::1%25eth0]/', 'bad_url'],
  ['http://[::1', 'bad_url'],
  ['http://host.example:99999/', 'bad_url'],
  ['http://ho st.example/', 'bad_url'],
  ['http://user:password@host.example/', 'bad_url'],
  ['http://user@host.example/', 'bad_url'],
  ['http://:password@host.example/', 'bad_url'],
  ['https://public.example@169.254.169.254/', 'bad_url'],
  ['file:///etc/passwd', 'scheme'],
  ['ftp://host.example/a.png', 'scheme'],
  ['gopher://127.0.0.1:6379/_FLUSHALL', 'scheme'],
  ['data:image/png;base64,AAAA', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['blob:https://host.example/7', 'scheme'],
  ['ws://host.example/', 'scheme'],
  ['user:password@host.example', 'scheme'],
  ['http://host.example:0/', 'port'],
  ['http://host.example:22/', 'port'],
  ['http://host.example:25/', 'port'],
  ['https://host.example:465/', 'port'],
  ['http://host.example:1023/', 'port'],
  ['http://host.example:6667/', 'port'],
  ['http:\\\\10.0.0.1\\a.png', 'address'],
  ['http:10.0.0.1', 'address'],
  [' \thttp://10.0.0.1/ ', 'address'],
]
