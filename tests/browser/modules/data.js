import { readFileSync } from 'node:fs';

/** What the Python side has written for this run. */
export const data = JSON.parse(readFileSync(process.env.DATA, 'utf8'));
