using System.Reflection;
using Wire.Errors;
using Wire.Sessions;
using Wire.Types;

namespace Wire.OptIn;

/// <summary>A member of a type: method, constructor, field, property or event.</summary>
internal sealed class MemberSerializer(TypeRegistry registry) : StandInSerializer<MemberInfo, MemberRecord>(registry)
{
    private readonly MemberReferences _references = new(registry);

    private protected override MemberRecord ToRecord(MemberInfo value, GraphPath path) => _references.Describe(value);

    private protected override MemberInfo FromRecord(MemberRecord record, bool trusted) => _references.Resolve<MemberInfo>(record, trusted);
}

/// <summary>A parameter, or a return value.</summary>
internal sealed class ParameterSerializer(TypeRegistry registry) : StandInSerializer<ParameterInfo, ParameterRecord>(registry)
{
    private readonly MemberReferences _references = new(registry);

    private protected override ParameterRecord ToRecord(ParameterInfo value, GraphPath path) =>
        new(_references.Describe(value.Member), value.Position);

    private protected override ParameterInfo FromRecord(ParameterRecord record, bool trusted)
    {
        MemberInfo member = _references.Resolve<MemberInfo>(record.Member, trusted);
        ParameterInfo[] parameters = member switch
        {
            MethodBase method => method.GetParameters(),
            PropertyInfo property => property.GetIndexParameters(),
            _ => [],
        };
        return record.Position == -1 && member is MethodInfo { ReturnParameter: var result } ? result
            : (uint)record.Position < (uint)parameters.Length ? parameters[record.Position]
            : ThrowHelper.Format<ParameterInfo>(
                WireFormatError.InvalidValue, $"'{member.Name}' has no parameter at position {record.Position}.");
    }
}
