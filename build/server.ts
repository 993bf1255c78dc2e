import { existsSync } from 'node:fs'
import { copyFile, cp, readFile } from 'node:fs/promises'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'

/** Each program that runs by itself. */
const programs = {
  index: 'server/index.ts',
  'simulator-momo': 'server/simulators/momo.ts',
  'simulator-airtel': 'server/simulators/airtel.ts',
  'simulator-sms': 'server/simulators/sms.ts',
  'simulator-mail': 'server/simulators/mail.ts',
  'simulator-bvn': 'server/simulators/bvn.ts',
  'simulator-score': 'server/simulators/score.ts',
  'simulator-airtime': 'server/simulators/airtime.ts',
  'simulator-applicant': 'server/simulators/applicant.ts',
  'partner-sim': 'server/simulators/partner/partner.ts',
  'partner-site': 'server/simulators/partner-site/partner-site.ts',
  'import-reader': 'server/files/imports/read/reader-thread.ts',
  'upload-inspector': 'server/files/uploads/inspector-thread.ts',
  'demo-part': 'server/demo/demo-part.ts',
}

/** Puts the fault points of the tests into a server that only they start. */
const withFaults = (root: string, file: string): Plugin => ({
  name: 'fault-points',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]server[\\/]fault-point\.ts$/ }, async () => ({
      contents: await readFile(path.join(root, file), 'utf8'),
      loader: 'ts',
      resolveDir: root,
    })),
})

/**
 * Bundles our own server code, one file a program; packages stay where npm put them. What is read at run time lies beside.
 * In a build for tests `faults` is the file that stands for the fault points, and `more` names further programs.
 */
export const buildServer = async (
  root: string,
  outdir: string,
  o: { faults?: string; more?: Record<string, string> } = {},
) => {
  const all = { ...programs, ...o.more }
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(all).filter(([, file]) => existsSync(path.join(root, file)))),
    outdir,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
    plugins: o.faults ? [withFaults(root, o.faults)] : [],
  })
  await copyFile(path.join(root, 'server/db/pglite-worker.mjs'), path.join(outdir, 'pglite-worker.mjs'))
  await cp(path.join(root, 'server/db/migrations'), path.join(outdir, 'migrations'), { recursive: true })
}
