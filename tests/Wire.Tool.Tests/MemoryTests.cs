using System.Globalization;

namespace Wire.Tool.Tests;

/// <summary>What is measured here is the memory of the process, which no other test may use meanwhile.</summary>
[CollectionDefinition(nameof(MemoryTests), DisableParallelization = true)]
[Collection(nameof(MemoryTests))]
public sealed class MemoryTests
{
    // Each frame has strings and types that no other one has.
    [Theory]
    [InlineData(40_000, 7)]
    [InlineData(4_000, 50_000)]
    public void Frames_without_end_take_bounded_memory(int frames, int nameLength)
    {
        using var input = new Invented(frames, nameLength);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        long most = 0;
        input.EachFrame = frame => most = frame % (frames / 10) == 0 ? Math.Max(most, GC.GetTotalMemory(forceFullCollection: true)) : most;
        ToolRun run = ToolRun.With(input, "stats", "-");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.InRange(most - before, 0, 40 << 20);
    }

    private sealed class Invented(int frames, int nameLength) : Stream
    {
        private byte[] _frame = [];
        private int _at;
        private int _count;

        public Action<int> EachFrame { get; set; } = _ => { };

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override int Read(byte[] buffer, int offset, int count)
        {
            if (_at == _frame.Length)
            {
                if (_count == frames)
                {
                    return 0;
                }

                EachFrame(_count);
                _frame = NewFrame(_count++);
                _at = 0;
            }

            int read = Math.Min(count, _frame.Length - _at);
            _frame.AsSpan(_at, read).CopyTo(buffer.AsSpan(offset));
            _at += read;
            return read;
        }

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        // A type with one member, a string.
        private byte[] NewFrame(int number)
        {
            string text = number.ToString("D6", CultureInfo.InvariantCulture);
            byte[] name = System.Text.Encoding.ASCII.GetBytes($"T{text}".PadRight(nameLength, 'n'));
            byte[] value = System.Text.Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat(text, 20)));
            byte[] member = System.Text.Encoding.ASCII.GetBytes($"M{text}");
            byte[] manifest = [.. Varint(name.Length << 1), .. name, 0x01, 0x44, 0x01, (byte)member.Length, .. member, 0x2A];
            byte[] payload = [0x10, 0x02, .. Varint(manifest.Length), .. manifest, 0xF1, 0x01, .. value];
            return [.. BitConverter.GetBytes(payload.Length), .. payload];
        }

        private static byte[] Varint(int number)
        {
            using var bytes = new MemoryStream();
            using var writer = new BinaryWriter(bytes);
            writer.Write7BitEncodedInt(number);
            return bytes.ToArray();
        }
    }
}
