import { type VerifyCodeRow, verifyCode } from '../../core/contract/operation/verify-code.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { addDays, eatDate, eatDateTime } from '../../core/rules/time.ts'
import { settingCalls } from '../shared/business-config-dialog.tsx'
import { CodeAttempts, codeHead } from './verify-code/attempts.tsx'
import { HealthStrip } from './verify-code/health-strip.tsx'
import { LimitsDialog } from './verify-code/limits-dialog.tsx'

/** Operations and second-line service see whether codes arrive, and help those who get none; the code itself is shown to nobody. */
export default listScreen({
  list: verifyCode.page,
  rowKey: 'codeNo',
  start: { sendTime: [addDays(eatDate(new Date()), -1), null] },
  presets: [
    { label: 'verifyCode.today', filters: { sendTime: 'today' } },
    { label: 'verifyCode.problems', filters: { messageStatus: ['failed', 'unknown', 'no_report', 'blocked'] } },
  ],
  filters: ['phone', 'sendTime', 'scene', 'messageStatus', 'codeStatus', 'appCode', 'vendorName', 'network'],
  columns: [
    'codeNo',
    'sendTime',
    { id: 'phone', width: 150 },
    'scene',
    'appCode',
    'network',
    'vendorName',
    'senderId',
    'codeStatus',
    'messageStatus',
    'deliverySeconds',
    'tries',
    'failReason',
    'ip',
  ],
  more: ['channelType', 'merchantName', 'nextVendor'],
  above: () => <HealthStrip />,
  row: act => [
    act(verifyCode.resend, {
      label: 'actions.resendCode',
      confirm: 'verifyCode.confirmResend',
      done: answer => ({ key: 'verifyCode.resent', params: { name: (answer as { vendorName: string }).vendorName } }),
    }),
    act(verifyCode.unlock, {
      label: 'actions.liftLimit',
      ask: ['reason'],
      confirm: 'verifyCode.confirmLift',
      done: answer => ({
        key: 'verifyCode.lifted',
        params: { time: eatDateTime((answer as { liftedUntil: string }).liftedUntil).slice(11, 16) },
      }),
    }),
  ],
  toolbar: () => [{ label: 'actions.codeLimits', needs: { perm: verifyCode.page.perm }, dialog: LimitsDialog }],
  head: codeHead,
  detail: (row: VerifyCodeRow) => <CodeAttempts row={row} />,
  also: [...[verifyCode.health, verifyCode.attempts], ...settingCalls],
})
