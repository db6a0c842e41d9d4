import { readFileSync, realpathSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { runCommand } from '../../bench/processes.ts'

const DISK_BYTES = 256 * 1024 * 1024

/** A file system in a file, which the kernel makes read-only after an error, as it does with a real disk. */
export interface MountedDisk {
  readonly folder: string
  /** Reports an error of the disk to the file system. Everything on it can only be read from then on. */
  fail(): void
  /** Mounts the file system again, after which it can be written. No process may have a file on it open. */
  repair(): Promise<void>
  unmount(): Promise<void>
}

/** Requires root. */
export async function mountDisk(parent: string): Promise<MountedDisk> {
  const [image, mountPoint] = [join(parent, 'disk.img'), join(parent, 'disk')]
  writeFileSync(image, '')
  truncateSync(image, DISK_BYTES)
  await runCommand('mkfs.ext4', ['-q', image])
  await mkdir(mountPoint)
  const folder = realpathSync(mountPoint)
  const mount = () => runCommand('mount', ['-o', 'loop,errors=remount-ro', image, folder])
  const unmount = () => runCommand('umount', [folder])
  await mount()
  return {
    folder,
    fail: () => writeFileSync(`/sys/fs/ext4/${deviceOf(folder)}/trigger_fs_error`, '1'),
    async repair() {
      await unmount()
      // The error stays recorded in the image and does not prevent a mount.
      await mount()
    },
    async unmount() {
      await unmount()
    },
  }
}

/** Returns the name of the mounted device, such as `loop0`. */
function deviceOf(folder: string): string {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const line = mounts.find((each) => each.split(' ')[1] === folder)
  if (line === undefined) throw new Error(`Nothing is mounted at ${folder}.`)
  return basename(line.split(' ')[0]!)
}
