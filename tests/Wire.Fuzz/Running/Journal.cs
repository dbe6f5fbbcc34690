using System.IO.MemoryMappedFiles;
using Wire.Fuzz.Mutation;

namespace Wire.Fuzz.Running;

/// <summary>
/// What a worker is doing, in a file that both processes have in memory: it is there when the worker has crashed, and goes on
/// when another one takes its place.
/// </summary>
internal sealed unsafe class Journal : IDisposable
{
    private const int HeaderBytes = 64;
    private const int InputBytes = 2 * Mutator.MaxBytes;

    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private readonly byte* _start;

    /// <summary>Opens the journal.</summary>
    /// <param name="folder">Where it is.</param>
    /// <param name="blocks">How many blocks the instrumented assemblies have together.</param>
    public Journal(string folder, int blocks)
    {
        string path = Path.Combine(folder, "journal.bin");
        _file = MemoryMappedFile.CreateFromFile(path, FileMode.OpenOrCreate, null, HeaderBytes + InputBytes + blocks);
        _view = _file.CreateViewAccessor();
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref _start);
        Seen = new SeenMemory(_start + HeaderBytes + InputBytes, blocks).Memory;
    }

    /// <summary>How many inputs were tried.</summary>
    public ref long Executions => ref Field(0);

    /// <summary>Changes with everything the worker does, so that one who watches sees that it goes on.</summary>
    public ref long Beats => ref Field(1);

    /// <summary>How many inputs are kept.</summary>
    public ref long CorpusSize => ref Field(2);

    /// <summary>What has been seen of the blocks.</summary>
    public Memory<byte> Seen { get; }

    // The number of the target and the length of the input, -1 between two inputs.
    private ref long Target => ref Field(3);

    private ref long Length => ref Field(4);

    /// <summary>Notes what is about to be tried.</summary>
    public void Begin(int target, byte[] input)
    {
        int length = Math.Min(input.Length, InputBytes);
        input.AsSpan(0, length).CopyTo(new Span<byte>(_start + HeaderBytes, InputBytes));
        Target = target;
        Length = length;
        Beats++;
    }

    /// <summary>Notes that nothing is being tried.</summary>
    public void End() => Length = -1;

    /// <summary>What was being tried; null when nothing was.</summary>
    public (int Target, byte[] Input)? Current() =>
        Beats > 0 && Length >= 0 ? ((int)Target, new Span<byte>(_start + HeaderBytes, (int)Length).ToArray()) : null;

    public void Dispose()
    {
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
        _file.Dispose();
    }

    private ref long Field(int index) => ref ((long*)_start)[index];

    /// <summary>The file's memory, as memory of the program.</summary>
    private sealed class SeenMemory(byte* start, int length) : System.Buffers.MemoryManager<byte>
    {
        public override Span<byte> GetSpan() => new(start, length);

        public override System.Buffers.MemoryHandle Pin(int elementIndex = 0) => new(start + elementIndex);

        public override void Unpin()
        {
        }

        protected override void Dispose(bool disposing)
        {
        }
    }
}
