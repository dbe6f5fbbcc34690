namespace Wire.Buffers;

/// <summary>The rest of a memory stream, where it lies: so it is read as memory is, and not through copies.</summary>
internal static class MemoryWindow
{
    /// <summary>Returns whether a stream is a memory stream. What derives from it may read from elsewhere.</summary>
    public static bool IsOver(Stream stream) => stream.GetType() == typeof(MemoryStream);

    /// <summary>Returns the bytes from the position of a stream, which does not move, to its end.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="start">The position.</param>
    public static ReadOnlySpan<byte> Open(MemoryStream stream, out int start)
    {
        start = (int)stream.Position;
        return !stream.TryGetBuffer(out ArraySegment<byte> buffer) ? Captured.RestOf(stream, start)
            : start <= buffer.Count ? buffer.AsSpan(start)
            : default;
    }

    /// <summary>Gets the buffer that a memory stream does not give away, which it hands to another stream that it is copied to.</summary>
    private sealed class Captured : Stream
    {
        [ThreadStatic]
        private static Captured? _own;

        private ArraySegment<byte> _rest;

        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        /// <summary>Returns the rest of a stream, which stays where it is.</summary>
        public static ReadOnlySpan<byte> RestOf(MemoryStream stream, int start)
        {
            Captured own = _own ??= new();
            stream.CopyTo(own, bufferSize: 1);
            stream.Position = start;
            ArraySegment<byte> rest = own._rest;
            own._rest = default;
            return rest;
        }

        public override void Write(byte[] buffer, int offset, int count) => _rest = new(buffer, offset, count);

        public override void Flush()
        {
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();
    }
}
