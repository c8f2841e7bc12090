/** Assets of CloudKit: an upload address, a receipt for the record, a download address (“Uploading Assets”). */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Hono } from 'hono'
import * as v from 'valibot'
import type { Services } from '../services.js'
import { CloudKitError } from './cloudkit-errors.js'
import type { Database } from './cloudkit-records.js'
import { cloudAssets } from './schema.js'

const UPLOAD_KIND = 'cloudkit/upload'
const DOWNLOAD_KIND = 'cloudkit/download'
/** Apple's upload addresses work for 15 minutes. */
const UPLOAD_SECONDS = 900
const MAX_BYTES = 1024 * 1024
const name = v.pipe(v.string(), v.regex(/^[\w.-]{1,255}$/))

export const uploadsSchema = v.object({
  tokens: v.pipe(
    v.array(v.object({ recordName: v.optional(name), recordType: name, fieldName: name })),
    v.minLength(1),
    v.maxLength(200),
  ),
})

function getSignature(content: Uint8Array): string {
  return createHash('sha1').update(content).digest('base64')
}

export async function startUploads(
  { records, publicUrl }: Services,
  database: Database,
  { tokens }: v.InferOutput<typeof uploadsSchema>,
): Promise<object> {
  return {
    tokens: await Promise.all(
      tokens.map(async ({ recordName = randomUUID(), recordType, fieldName }) => {
        const id = await records.put(UPLOAD_KIND, { ...database, recordType, fieldName }, UPLOAD_SECONDS)
        return { recordName, fieldName, url: `${publicUrl}/cloudkit-content/upload/${id}` }
      }),
    ),
  }
}

const dictionary = v.object({ receipt: v.string(), fileChecksum: v.string(), size: v.number() })

/** Checks that the value is the receipt of a file that was uploaded for this field. */
export async function ownAsset(
  { db }: Services,
  database: Database,
  { recordType, field, value }: { readonly recordType: string; readonly field: string; readonly value: unknown },
): Promise<boolean> {
  const { success, output } = v.safeParse(dictionary, value)
  if (!success) return false
  const [asset] = await db.select().from(cloudAssets).where(eq(cloudAssets.receipt, output.receipt))
  return (
    asset !== undefined &&
    asset.container === database.container &&
    asset.environment === database.environment &&
    asset.owner === database.owner &&
    asset.recordType === recordType &&
    asset.fieldName === field &&
    asset.fileChecksum === output.fileChecksum
  )
}

/** Returns an asset as a record shows it: without its receipt, with an unguessable address. */
export function assetUrl({ publicUrl }: Services, value: unknown): object {
  const { receipt, fileChecksum, size } = v.parse(dictionary, value)
  const id = createHash('sha256').update(`${DOWNLOAD_KIND} ${receipt}`).digest('base64url')
  return { fileChecksum, size, downloadURL: `${publicUrl}/cloudkit-content/download/${id}.${receipt}/\${f}` }
}

export function mountAssets(app: Hono, { db, records }: Services): void {
  app.post('/cloudkit-content/upload/:id', async c => {
    const known = await records.take(UPLOAD_KIND, c.req.param('id'))
    if (!known) throw new CloudKitError('NOT_FOUND', 'the upload address is unknown, used or too old')
    const content = new Uint8Array(await c.req.arrayBuffer())
    if (content.length > MAX_BYTES) throw new CloudKitError('QUOTA_EXCEEDED', 'the file is too large')
    const asset = {
      receipt: randomBytes(32).toString('base64url'),
      container: String(known.container),
      environment: String(known.environment),
      owner: String(known.owner),
      recordType: String(known.recordType),
      fieldName: String(known.fieldName),
      fileChecksum: getSignature(content),
      content,
    }
    await db.insert(cloudAssets).values(asset)
    return c.json({
      singleFile: {
        wrappingKey: randomBytes(16).toString('base64'),
        fileChecksum: asset.fileChecksum,
        receipt: asset.receipt,
        referenceChecksum: getSignature(Buffer.from(asset.receipt)),
        size: content.length,
      },
    })
  })
  app.get('/cloudkit-content/download/:id/:file', async c => {
    const [hash = '', receipt = ''] = c.req.param('id').split('.')
    const expectedHash = createHash('sha256').update(`${DOWNLOAD_KIND} ${receipt}`).digest('base64url')
    const [asset] = await db
      .select()
      .from(cloudAssets)
      .where(and(eq(cloudAssets.receipt, receipt)))
    if (!asset || hash !== expectedHash) throw new CloudKitError('NOT_FOUND', 'file not found')
    return new Response(new Uint8Array(asset.content), {
      headers: {
        'content-type': 'application/octet-stream',
        'access-control-allow-origin': '*',
        'cache-control': 'no-store',
      },
    })
  })
}
