using System.Reflection;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers;

[TypeNotes("the one instance")]
public sealed class DBNullTests : ValueTests<DBNull?>
{
    protected override IEnumerable<DBNull?> Samples => [null, DBNull.Value];
}

[TypeNotes("the one instance")]
public sealed class MissingTests : ValueTests<Missing?>
{
    protected override IEnumerable<Missing?> Samples => [null, Missing.Value];
}
