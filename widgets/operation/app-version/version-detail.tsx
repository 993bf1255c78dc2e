import { useRead } from '../../../core/client/providers.tsx'
import { base } from '../../../core/contract/endpoint.ts'
import { type AppVersionDetail, type AppVersionRow, appVersion } from '../../../core/contract/operation/app-version.ts'
import { useHost } from '../../../core/element/context.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Bars } from '../../../core/ui/bars.tsx'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { CopyIcon } from '../../../core/ui/copy-icon.tsx'
import { QrCode } from '../../../core/ui/qr-code.tsx'
import { Figures } from '../../shared/figures.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { WaitingApproval } from '../../shared/record/waiting-approval.tsx'
import { RecordLog } from '../../shared/record-log.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { Rollout, Size } from './parts.tsx'

const settings = [
  'appCode',
  'os',
  'versionName',
  'versionCode',
  'versionStatus',
  'minVersionCode',
  'packageSize',
  'sha256',
  'storeUrl',
  'releaseTime',
  'createdName',
  'createdTime',
  'withdrawReason',
]

/** What a release manager watches: crashes, force, how far it is rolled out, who has it. */
const Glance = ({ row }: { row: AppVersionRow }) => {
  const t = useText()
  return (
    <Figures
      label={t('appVersion.fourNumbers')}
      list={[
        {
          label: t('appVersion.crashFree'),
          value: row.crashFree === null ? t('appVersion.notReported') : `${row.crashFree} %`,
        },
        {
          label: t('fields.forceUpdate'),
          value: t(row.forceUpdate ? 'common.yes' : 'common.no'),
          ...(row.forceUpdate ? { tone: 'attention' as const } : {}),
        },
        { label: t('fields.grayPercent'), value: row.grayPercent ?? '–' },
        { label: t('fields.deviceShare'), value: row.deviceShare ?? '–' },
      ]}
    />
  )
}

/** Where phones get it, to copy or to read with a camera. */
const Download = ({ of: { ofVersion, packagePath } }: { of: AppVersionDetail }) => {
  const t = useText()
  const { props } = useHost()
  const server = props.baseUrl ?? window.location.origin
  const link = packagePath
    ? new URL(`${base}${packagePath}`, new URL(server, window.location.origin)).href
    : ofVersion.storeUrl
  if (!link || ofVersion.versionStatus !== 'released') return null
  return (
    <Section title={t('appVersion.download')}>
      <Flex gap="4" align="center" wrap="wrap">
        <QrCode text={link} side={148} label={t('appVersion.qrOf', { versionName: ofVersion.versionName })} />
        <Text size="2" style={{ overflowWrap: 'anywhere' }}>
          {link} <CopyIcon value={link} />
        </Text>
      </Flex>
    </Section>
  )
}

/** Devices that asked with the version, day by day. */
const Days = ({ days }: { days: AppVersionDetail['dailyDevices'] }) => {
  const t = useText()
  if (days.every(day => day.deviceCount === 0)) return <Text color="gray">{t('appVersion.noDevices')}</Text>
  return (
    <Bars
      label={t('appVersion.byDay')}
      every={2}
      bars={days.map(({ date, deviceCount }) => ({
        name: date.slice(5),
        value: deviceCount,
        label: t('appVersion.dayLine', { date, n: deviceCount }),
      }))}
    />
  )
}

const Shares = ({ row }: { row: AppVersionRow }) => {
  const t = useText()
  return (
    <Loaded read={useRead(appVersion.share, { appCode: row.appCode })}>
      {({ list }) => (
        <SmallTable
          schema={appVersion.share.output.shape.list.element}
          rows={list}
          rowKey="versionNo"
          names={['os', 'versionName', 'versionCode', 'versionStatus', 'deviceCount', 'deviceShare']}
          empty={t('appVersion.noVersions')}
          label={t('appVersion.byVersion')}
        />
      )}
    </Loaded>
  )
}

/** One version: what it is, where phones get it, which devices have it, and what was done with it. */
export const VersionDetail = ({ row, reload }: { row: AppVersionRow; reload: () => void }) => {
  const t = useText()
  const read = useRead(appVersion.detail, { versionNo: row.versionNo }, { follows: true })
  return (
    <>
      {row.pendingApproval && <WaitingApproval objectType="app_version" objectNo={row.versionNo} reload={reload} />}
      <Glance row={row} />
      <Loaded read={read}>
        {of => (
          <>
            <Section title={t('appVersion.settings')}>
              <Facts
                schema={appVersion.page.row}
                value={row}
                names={settings}
                own={{ packageSize: <Size bytes={row.packageSize} /> }}
              />
              <Flex align="center" gap="2" my="2">
                <Text size="2">{t('fields.grayPercent')}</Text> <Rollout percent={row.grayPercent} />
              </Flex>
              <Text as="p" size="2" style={{ whiteSpace: 'pre-line' }}>
                {of.releaseNotes[t.language as 'en']}
              </Text>
            </Section>
            <Download of={of} />
            <Section title={t('appVersion.byDay')}>
              <Days days={of.dailyDevices} />
            </Section>
          </>
        )}
      </Loaded>
      <Section title={t('appVersion.byVersion')}>
        <Shares row={row} />
      </Section>
      <RecordLog of={{ objectType: 'app_version', objectNo: row.versionNo }} />
    </>
  )
}
