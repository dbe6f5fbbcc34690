using Microsoft.Win32.SafeHandles;

namespace Wire.Tool.Running;

/// <summary>The output of the process: what cannot be written is an <see cref="OutputClosedException"/>, and not lost in silence.</summary>
/// <param name="inner">The stream.</param>
internal sealed class OutputStream(Stream inner) : Stream
{
    private const int StandardOutput = 1;

    // EPIPE, and ERROR_NO_DATA as an HRESULT.
    private const int PipeClosed = 32;
    private const int PipeClosedOnWindows = unchecked((int)0x800700E8);

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>
    /// Opens the output of the process. The stream of <see cref="Console"/> does not say that a pipe is closed; a file stream does, but of
    /// a file it would overwrite what another process writes to the same one.
    /// </summary>
    public static OutputStream OfProcess()
    {
        if (!OperatingSystem.IsWindows() && Console.IsOutputRedirected)
        {
            var pipe = new FileStream(new SafeFileHandle(StandardOutput, ownsHandle: false), FileAccess.Write, bufferSize: 0);
            if (!pipe.CanSeek)
            {
                return new OutputStream(pipe);
            }
        }

        return new OutputStream(Console.OpenStandardOutput());
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            inner.Write(buffer);
        }
        catch (IOException exception) when (exception.HResult is PipeClosed or PipeClosedOnWindows)
        {
            throw new OutputClosedException(exception);
        }
        catch (IOException exception)
        {
            throw new ToolException($"the output cannot be written: {exception.Message}", ExitCodes.Usage);
        }
    }

    public override void Flush() => inner.Flush();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
