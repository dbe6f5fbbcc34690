using System.Numerics;
using System.Runtime.Intrinsics;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Scalars;

public sealed class Vector2Tests : ValueTests<Vector2>
{
    protected override IEnumerable<Vector2> Samples => [default, new(1, -2), new(float.NaN, -0f)];
}

public sealed class Vector3Tests : ValueTests<Vector3>
{
    protected override IEnumerable<Vector3> Samples => [default, new(1, 2, 3), new(float.NegativeInfinity, float.Epsilon, -0f)];
}

public sealed class Vector4Tests : ValueTests<Vector4>
{
    protected override IEnumerable<Vector4> Samples => [default, new(1, 2, 3, 4)];
}

public sealed class QuaternionTests : ValueTests<Quaternion>
{
    protected override IEnumerable<Quaternion> Samples => [default, Quaternion.Identity, new(1, 2, 3, 4)];
}

public sealed class PlaneTests : ValueTests<Plane>
{
    protected override IEnumerable<Plane> Samples => [default, new(1, 2, 3, 4)];
}

public sealed class Matrix3x2Tests : ValueTests<Matrix3x2>
{
    protected override IEnumerable<Matrix3x2> Samples => [default, Matrix3x2.Identity, new(1, 2, 3, 4, 5, 6)];
}

public sealed class Matrix4x4Tests : ValueTests<Matrix4x4>
{
    protected override IEnumerable<Matrix4x4> Samples => [Matrix4x4.Identity, new(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)];
}

public sealed class Vector64Tests : ValueTests<Vector64<byte>>
{
    protected override IEnumerable<Vector64<byte>> Samples => [default, Vector64<byte>.Indices];

    [Fact]
    public void Another_number_of_elements_is_invalid()
    {
        byte[] bytes = new Serializer().Serialize(Vector64<byte>.Indices);
        Assert.Equal(8, bytes[^9]);
        bytes[^9]--;
        Assert.Equal(
            WireFormatError.InvalidValue,
            Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<Vector64<byte>>(bytes[..^1])).Error);
    }

    [Fact]
    public void An_element_that_no_vector_has_is_unsupported() =>
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(default(Vector64<Guid>)));

    [Fact]
    public void A_vector_whose_length_is_the_processors_is_unsupported() =>
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(default(Vector<int>)));
}

public sealed class Vector128Tests : ValueTests<Vector128<double>>
{
    protected override IEnumerable<Vector128<double>> Samples => [default, Vector128.Create(1.5, double.NaN)];
}

public sealed class Vector256Tests : ValueTests<Vector256<long>>
{
    protected override IEnumerable<Vector256<long>> Samples => [default, Vector256.Create(1, -2, 3, long.MinValue)];
}

public sealed class Vector512Tests : ValueTests<Vector512<nint>>
{
    protected override IEnumerable<Vector512<nint>> Samples => [default, Vector512<nint>.Indices, Vector512<nint>.AllBitsSet];
}
