"""Runs OpenStack Swift with its S3 door in an empty folder, all four servers in one process, and says when the door listens.

Ends when its stdin is closed, so that it never outlives the process that has started it.
"""
import os
import sys

import eventlet

eventlet.monkey_patch()
from eventlet import tpool, wsgi
from paste.deploy import loadapp
from swift.common import utils
from swift.common.ring import RingBuilder
from swift.common.storage_policy import reload_storage_policies

folder, door, user, key = sys.argv[1:]
kinds = ['account', 'container', 'object']


class Memory:
    """What the servers ask of memcached. Nothing here lives long enough to expire."""

    def __init__(self):
        self.kept = {}

    def get(self, key, **_):
        return self.kept.get(key)

    def set(self, key, value, **_):
        self.kept[key] = value

    def delete(self, key, **_):
        self.kept.pop(key, None)


def write_config(kind, names):
    with open(f'{folder}/{kind}.conf', 'w') as conf:
        conf.write(f'[DEFAULT]\nswift_dir = {folder}\ndevices = {folder}/disks\nmount_check = false\n')
        conf.write(f'fallocate_reserve = 0\n[pipeline:main]\npipeline = {names}\n')
        for name in names.split():
            is_server = name.endswith('-server')
            conf.write(f'[{"app" if is_server else "filter"}:{name}]\n')
            conf.write(f'use = egg:swift#{name.removesuffix("-server")}\n')
            conf.write(settings.get(name, ''))


def app_of(kind):
    app = loadapp(f'config:{folder}/{kind}.conf')

    def remembering(environ, start_response):
        environ['swift.cache'] = memory
        return app(environ, start_response)

    return remembering


with open(f'{folder}/swift.conf', 'w') as conf:
    conf.write('[swift-hash]\nswift_hash_path_suffix = tests\n')
utils.SWIFT_CONF_FILE = f'{folder}/swift.conf'
utils.validate_hash_conf()
reload_storage_policies()
os.makedirs(f'{folder}/disks/one')

ports = {'proxy': int(door)}
sockets = {kind: eventlet.listen(('127.0.0.1', ports.get(kind, 0))) for kind in [*kinds, 'proxy']}
for kind in kinds:
    builder = RingBuilder(part_power=1, replicas=1, min_part_hours=1)
    port = sockets[kind].getsockname()[1]
    builder.add_dev({'region': 1, 'zone': 1, 'weight': 1, 'ip': '127.0.0.1', 'port': port, 'device': 'one'})
    builder.rebalance()
    builder.get_ring().save(f'{folder}/{kind}.ring.gz')

settings = {
    'proxy-server': 'account_autocreate = true\n',
    'tempauth': f'user_{user.replace(":", "_")} = {key} .admin\n',
    's3api': 'location = us-east-1\n',
}
for kind in kinds:
    write_config(kind, f'{kind}-server')
write_config('proxy', 'catch_errors s3api tempauth bulk slo dlo proxy-server')

memory = Memory()
silent = open(os.devnull, 'w')
for kind in [*kinds, 'proxy']:
    eventlet.spawn(wsgi.server, sockets[kind], app_of(kind), log=silent)
print('listens', flush=True)
tpool.execute(sys.stdin.read)
