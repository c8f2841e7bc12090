import type { WaasWallet } from '@keybay/waas'
import type { ReactElement } from 'react'
import { CopyButton } from '../design/copy-button.js'
import { formatMoment } from '../design/format.js'
import { chainNames, chainOf } from './chains.js'
import { FrameTag } from './frame-tag.js'
import { HoldersPicture } from './holders-picture.js'
import { hasBackup, origins, reconstructedOrigin, schemes } from './schemes.js'

function backupSays({ backup, thresholdSignatureScheme }: WaasWallet): string {
  if (!hasBackup(thresholdSignatureScheme)) return 'None: this scheme has no backup part'
  const when = backup.backedUpAt === undefined ? '' : `, ${formatMoment(backup.backedUpAt)}`
  switch (backup.state) {
    case 'current':
      return `Current${when}`
    case 'stale':
      return 'Out of date: it no longer restores this wallet. Make new parts to get a new one'
    case 'unverified':
      return 'There may be one, made by another device'
    case 'none':
      return 'Not known in this browser'
  }
}

/** Summary of a wallet and of the holders of its key shares. */
export function SummaryCard({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const { accountAddress, thresholdSignatureScheme, epoch, signing, origin, exported, createdAt } = wallet
  const { name, threshold, holders, loss } = schemes[thresholdSignatureScheme]
  return (
    <section className="card" aria-labelledby="summary">
      <div className="card-head">
        <h2 id="summary">The key and its parts</h2>
        <FrameTag />
      </div>
      <HoldersPicture scheme={thresholdSignatureScheme} />
      <p className="soft small">{loss}</p>
      <dl className="facts">
        <div>
          <dt>Address</dt>
          <dd className="user-id">
            <span className="mono small break">{accountAddress}</span>
            <CopyButton text={accountAddress} label="Copy address" />
          </dd>
        </div>
        <div>
          <dt>Chain</dt>
          <dd>{chainNames[chainOf(wallet)]}</dd>
        </div>
        <div>
          <dt>Scheme</dt>
          <dd>{`${name}: ${threshold} of ${holders.length} parts sign`}</dd>
        </div>
        <div>
          <dt>Epoch</dt>
          <dd className="number">
            {epoch}{' '}
            <span className="soft small">{epoch === 0 ? '· the first parts' : '· older parts are worthless'}</span>
          </dd>
        </div>
        <div>
          <dt>Key</dt>
          <dd>
            {signing === 'reconstructed' ? reconstructedOrigin : origins[origin]}
            {exported && '. It has been seen whole, so its rules are advice only'}
          </dd>
        </div>
        <div>
          <dt>Signing</dt>
          <dd>
            {signing === 'threshold'
              ? 'By the parts: the key is not put together'
              : 'Reconstructed: the key is whole in the wallet’s frame for the moment of each signature'}
          </dd>
        </div>
        <div>
          <dt>Backup</dt>
          <dd>{backupSays(wallet)}</dd>
        </div>
        <div>
          <dt>Made</dt>
          <dd>{formatMoment(createdAt)}</dd>
        </div>
      </dl>
    </section>
  )
}
