import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Finding, fails, note, readReason, type Visit, works } from './check.ts';

/** In bytes; below the first there is no room for a picture and a day's database log. */
const TOO_LITTLE = 200e6;
const LITTLE = 2e9;

/** Checks write access and free space. */
export async function checkDataFolder({ config: { dataDir } }: Visit): Promise<Finding[]> {
  const folder = findExisting(dataDir);
  const findings = [await tryToWrite(dataDir, folder)];
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

/** @param free in bytes */
export function judgeSpace(free: number, folder: string): Finding {
  const room = `${(free / 1e9).toFixed(1)} GB are free at ${folder}`;
  if (free < TOO_LITTLE) return fails(`${room}: too little for the shop to run.`);
  return free < LITTLE
    ? note(`${room}, which is soon used up by pictures and the database.`)
    : works(`${room}.`);
}
