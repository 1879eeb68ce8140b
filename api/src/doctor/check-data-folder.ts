import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Finding, fails, note, readReason, type Visit, works } from './check.ts';

/** In bytes; below the first there is no room for a picture and a day's database log. */
const TOO_LITTLE = 200e6;
const LITTLE = 2e9;

/** Checks write access and free space. */
export async function checkDataFolder({ config }: Visit): Promise<Finding[]> {
  const { dataDir } = config;
  const folder = findExisting(dataDir);
  const findings = [await tryToWrite(dataDir, folder), ...findUnreadable(config)];
  const { bavail, bsize } = await statfs(folder);
  return [...findings, judgeSpace(bavail * bsize, folder)];
}

/** The folder or its nearest existing parent. */
function findExisting(folder: string): string {
  return existsSync(folder) ? folder : findExisting(path.dirname(folder));
}

async function tryToWrite(dataDir: string, folder: string): Promise<Finding> {
  const file = path.join(folder, `.doctor-${randomUUID()}`);
  try {
    await writeFile(file, '');
    await rm(file);
  } catch (error) {
    return fails(`DATA_DIR ${dataDir} cannot be written: ${readReason(error)}.`);
  }
  return folder === dataDir
    ? works(`DATA_DIR ${dataDir} can be written.`)
    : works(`DATA_DIR ${dataDir} is not there yet; the first start makes it.`);
}

const NOBODY = 65_534;

/** Only root can ask for another user: the owner of the data folder, as whom the service runs. */
function findUnreadable({ dataDir, databaseUrl, shop }: Visit['config']): Finding[] {
  if (process.getuid?.() !== 0) return [];
  const isThere = existsSync(dataDir);
  const { uid, gid } = isThere ? statSync(dataDir) : { uid: NOBODY, gid: NOBODY };
  const authority = databaseUrl && new URL(databaseUrl).searchParams.get('sslrootcert');
  const own = ['postgres', 'images', 'owner.lock'].map((name) => path.join(dataDir, name)).filter(existsSync);
  const files = [shop.logo?.file, authority, ...own].filter((file) => typeof file === 'string');
  return files
    .filter((file) => spawnSync('test', ['-r', file], { uid, gid }).status !== 0)
    .map((file) =>
      isThere
        ? fails(`${file} cannot be read by user ${uid}, who owns DATA_DIR and runs the service.`)
        : note(`${file} can be read by root alone: a service with a user of its own does not start.`),
    );
}

/** @param free in bytes */
export function judgeSpace(free: number, folder: string): Finding {
  const room = `${(free / 1e9).toFixed(1)} GB are free at ${folder}`;
  if (free < TOO_LITTLE) return fails(`${room}: too little for the shop to run.`);
  return free < LITTLE
    ? note(`${room}, which is soon used up by pictures and the database.`)
    : works(`${room}.`);
}
