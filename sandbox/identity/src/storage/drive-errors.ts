/** Errors as Drive returns them: https://developers.google.com/workspace/drive/api/guides/handle-errors */
export class DriveError extends Error {
  override readonly name = 'DriveError'
  readonly status: 400 | 401 | 403 | 404 | 413 | 500 | 503
  readonly reason: string
  readonly location: string | undefined

  constructor(status: DriveError['status'], reason: string, message: string, location?: string) {
    super(message)
    this.status = status
    this.reason = reason
    this.location = location
  }

  toJSON(): object {
    const where = this.location && {
      location: this.location,
      locationType: this.location === 'Authorization' ? 'header' : 'parameter',
    }
    return {
      error: {
        code: this.status,
        message: this.message,
        errors: [{ message: this.message, domain: 'global', reason: this.reason, ...where }],
        ...(this.status === 401 && { status: 'UNAUTHENTICATED' }),
      },
    }
  }
}

export function authError(): DriveError {
  return new DriveError(401, 'authError', 'Invalid Credentials', 'Authorization')
}

export function fileNotFound(id: string): DriveError {
  return new DriveError(404, 'notFound', `File not found: ${id}.`, 'fileId')
}

export function invalidValue(name: string): DriveError {
  return new DriveError(400, 'invalid', 'Invalid Value', name)
}
