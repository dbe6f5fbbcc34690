using System.Buffers;
using System.Runtime.CompilerServices;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.Bodies;
using Wire.Amqp.V091;

namespace Wire.Amqp.Tests.V091.Methods;

public sealed class BitTests
{
    [Fact]
    public void Bits_share_octets_the_first_one_lowest() => Prop.ForAll<int>(seed =>
    {
        foreach (int count in Enumerable.Range(1, 17))
        {
            int bits = seed & ((1 << count) - 1);
            var method = new Bits { Count = count, Before = 0xFE, After = 0xBEEF, AfterThat = 0xFD };
            for (int i = 0; i < count; i++)
            {
                method.Values[i] = ((bits >> i) & 1) != 0;
            }

            byte[] frame = new byte[FrameWriter.SizeOf(method)];
            FrameWriter.Write(frame, 1, method);
            byte[] octets = BitConverter.GetBytes(bits)[..((count + 7) / 8)];
            Assert.Equal([0xFE, .. octets, 0xBE, 0xEF, (byte)(bits & 1), 0xFD, (byte)((bits & 1) << 1)], frame[11..^1]);

            Bits.CountToRead = count;
            var reader = new FrameReader(frame, 0);
            Assert.True(reader.TryRead(out Frame received));
            Bits read = received.ReadMethod<Bits>();
            Assert.Equal(((ReadOnlySpan<bool>)method.Values).ToArray(), ((ReadOnlySpan<bool>)read.Values).ToArray());
            Assert.Equal((0xFE, 0xBEEF, 0xFD), (read.Before, read.After, read.AfterThat));
            Assert.Equal((method.Values[0], false, method.Values[0]), (read.Alone, read.First, read.Second));
        }
    }).QuickCheckThrowOnFailure();

    [InlineArray(17)]
    private struct Seventeen
    {
        private bool _first;
    }

    // A method that the protocol does not have: bits at the beginning, in the middle and at the end of the arguments.
    private struct Bits : IMethod<Bits>
    {
        [ThreadStatic]
        public static int CountToRead;

        public int Count;
        public byte Before;
        public Seventeen Values;
        public ushort After;
        public bool Alone;
        public byte AfterThat;
        public bool First;
        public bool Second;

        public static MethodId Id => (MethodId)1;

        static void IMethod<Bits>.Arguments<TArguments>(ref Bits method, ref TArguments arguments)
        {
            int count = method.Count == 0 ? CountToRead : method.Count;
            bool alone = method.Values[0];
            bool second = method.Values[0];
            arguments.Number(ref method.Before);
            for (int i = 0; i < count; i++)
            {
                arguments.Bit(ref method.Values[i]);
            }

            arguments.Number(ref method.After);
            arguments.Bit(ref alone);
            arguments.Number(ref method.AfterThat);
            arguments.Bit(ref method.First);
            arguments.Bit(ref second);
            method.Alone = alone;
            method.Second = second;
        }
    }
}
