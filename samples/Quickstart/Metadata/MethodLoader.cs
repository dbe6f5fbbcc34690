using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Quickstart.Metadata;

/// <summary>Fills method nodes: signature, parameters and the shape of the body.</summary>
internal sealed class MethodLoader(PEReader file, MetadataReader reader, TypeShells shells, ValueLoader values)
{
    public MethodNode Fill(MethodDefinitionHandle handle, TypeDefinitionNode type)
    {
        var definition = reader.GetMethodDefinition(handle);
        var method = shells.Method(handle)!;
        var scope = new GenericScope(type.GenericParameters, method.GenericParameters);
        var signature = definition.DecodeSignature(shells.TypeNodes, scope);

        method.CallingConvention = signature.Header.CallingConvention;
        method.ReturnType = signature.ReturnType;
        method.Parameters.AddRange(signature.ParameterTypes.Select(
            (parameterType, index) => new ParameterNode { Parent = method, Position = index + 1, Type = parameterType }));
        foreach (var parameter in definition.GetParameters())
        {
            Describe(method, parameter);
        }

        values.Constrain(method.GenericParameters, definition.GetGenericParameters(), scope);
        method.CustomAttributes = values.Attributes(method, definition.GetCustomAttributes());
        method.Body = Body(method, definition.RelativeVirtualAddress, scope);
        return method;
    }

    private void Describe(MethodNode method, ParameterHandle handle)
    {
        var definition = reader.GetParameter(handle);

        // Number zero stands for the returned value, which is no parameter here.
        if (definition.SequenceNumber > 0)
        {
            var parameter = method.Parameters[definition.SequenceNumber - 1];
            parameter.Token = MetadataTokens.GetToken(handle);
            parameter.Name = reader.GetString(definition.Name);
            parameter.Flags = definition.Attributes;
            parameter.DefaultValue = values.Literal(parameter, definition.GetDefaultValue());
            parameter.CustomAttributes = values.Attributes(parameter, definition.GetCustomAttributes());
        }
    }

    private MethodBodyNode? Body(MethodNode method, int address, GenericScope scope)
    {
        if (address == 0)
        {
            return null;
        }

        var block = file.GetMethodBody(address);
        var body = new MethodBodyNode
        {
            Parent = method,
            CodeSize = block.GetILReader().Length,
            MaxStack = block.MaxStack,
            InitializesLocals = block.LocalVariablesInitialized,
        };
        if (!block.LocalSignature.IsNil)
        {
            var signature = reader.GetStandaloneSignature(block.LocalSignature);
            body.Locals = [.. signature.DecodeLocalSignature(shells.TypeNodes, scope)];
        }

        body.ExceptionRegions.AddRange(block.ExceptionRegions.Select(region => new ExceptionRegionNode
        {
            Parent = body,
            Kind = region.Kind,
            TryOffset = region.TryOffset,
            TryLength = region.TryLength,
            HandlerOffset = region.HandlerOffset,
            HandlerLength = region.HandlerLength,
            CatchType = shells.TypeOf(region.CatchType, reader, scope),
        }));
        return body;
    }
}
