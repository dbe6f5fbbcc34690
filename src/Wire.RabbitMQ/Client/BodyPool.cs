using System.Buffers;
using System.Numerics;

namespace Wire.RabbitMQ.Client;

/// <summary>
/// A pool of memory for copies of bodies. Memory is rented on the client's thread and returned on any other, for which a pool with arrays
/// per thread is unsuited. Thread-safe.
/// </summary>
internal sealed class BodyPool
{
    // The maximal memory in the pool; larger arrays are not kept.
    private const long RetainedBytes = 16 << 20;
    private const int RetainedArray = 1 << 20;

    private readonly Lock _gate = new();
    private readonly Stack<CopiedBody> _free = new();
    private long _retained;

    /// <summary>Makes a copy.</summary>
    public CopiedBody Copy(ReadOnlySpan<byte> body)
    {
        CopiedBody copy = Rent();
        copy.Fill(body);
        return copy;
    }

    private CopiedBody Rent()
    {
        lock (_gate)
        {
            if (_free.TryPop(out CopiedBody? body))
            {
                _retained -= body.Capacity;
                return body;
            }
        }

        return new CopiedBody(this);
    }

    private void PutBack(CopiedBody body)
    {
        lock (_gate)
        {
            if (body.Capacity <= RetainedArray && _retained + body.Capacity <= RetainedBytes)
            {
                _retained += body.Capacity;
                _free.Push(body);
            }
        }
    }

    /// <summary>A copy that must be returned.</summary>
    internal sealed class CopiedBody(BodyPool pool)
    {
        private const int LeastBytes = 1024;

        private byte[] _buffer = [];
        private int _length;

        /// <summary>The body, valid until it is given back.</summary>
        public ReadOnlySequence<byte> Bytes => new(_buffer, 0, _length);

        /// <summary>Gets the memory that it holds.</summary>
        public int Capacity => _buffer.Length;

        /// <summary>Takes over bytes.</summary>
        public void Fill(ReadOnlySpan<byte> body)
        {
            if (_buffer.Length < body.Length)
            {
                _buffer = GC.AllocateUninitializedArray<byte>(
                    Math.Max(LeastBytes, (int)Math.Min(BitOperations.RoundUpToPowerOf2((uint)body.Length), (uint)Array.MaxLength)));
            }

            body.CopyTo(_buffer);
            _length = body.Length;
        }

        /// <summary>Releases it, once and on any thread: the memory and this object are then reused.</summary>
        public void Return() => pool.PutBack(this);
    }
}
